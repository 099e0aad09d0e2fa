package io.sluice.service.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.UnreachableException;
import io.sluice.service.supervise.LongWait;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker that is there, and does not answer. */
final class BrokerProbeTest {
  private static final long HOUR = Duration.ofHours(1).toNanos();

  @TempDir private Path directory;
  private ServerSocket broker;
  private Path log;

  private final AtomicLong nanos = new AtomicLong();
  private final List<String> events = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    broker = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
    log = Files.writeString(directory.resolve("broker.log"), "first\n3 of 340 logs recovered\n");
  }

  @AfterEach
  void stop() throws IOException {
    broker.close();
  }

  @Test
  void aBrokerThatLivesIsWaitedForAndSaysWhatItDoes() {
    assertThatThrownBy(() -> await(() -> events.size() < 3))
        .isInstanceOf(UnreachableException.class)
        .hasMessage(
            "the broker ended while it started; end of %s:\n  first\n  3 of 340 logs recovered"
                .formatted(log));
    assertThat(events)
        .containsExactly(
            "waiting for 3600 s: Kafka starts; the end of " + log + ":\n  3 of 340 logs recovered",
            "waiting for 7200 s: Kafka starts; the end of " + log + ":\n  3 of 340 logs recovered",
            "waiting for 10800 s: Kafka starts; the end of "
                + log
                + ":\n  3 of 340 logs recovered");
  }

  @Test
  void whoIsInterruptedDoesNotWait() {
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> await(() -> true))
          .isInstanceOf(UnreachableException.class)
          .hasMessageStartingWith("the broker was not waited for");
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  private void await(BooleanSupplier isAlive) {
    LongWait wait = new LongWait(events::add, () -> nanos.getAndAdd(HOUR));
    BrokerProbe.requireReady("127.0.0.1:" + broker.getLocalPort(), 1, isAlive, log, wait);
  }
}
