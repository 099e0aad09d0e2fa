package io.sluice.djl.trainer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class ShutdownGuardTest {
  private final List<String> events = Collections.synchronizedList(new ArrayList<>());

  @Test
  void stoppingInterruptsTheTrainingAndWaitsForItsEnd() throws Exception {
    CompletableFuture<ShutdownGuard> opened = new CompletableFuture<>();
    Thread training = new Thread(() -> train(opened));
    training.start();
    opened.get().stop();
    events.add("process ends");
    training.join();
    assertThat(events).containsExactly("interrupted", "last step done", "process ends");
  }

  private void train(CompletableFuture<ShutdownGuard> opened) {
    try (ShutdownGuard guard = ShutdownGuard.open()) {
      opened.complete(guard);
      awaitInterrupt();
      events.add("last step done");
    } catch (InterruptedException e) {
      events.add("shut down before the training");
    }
  }

  private void awaitInterrupt() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      events.add("interrupted");
    }
  }
}
