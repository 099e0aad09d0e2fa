package io.sluice.service.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.service.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SupervisorTest {
  private static final Duration IDLE = Duration.ofMinutes(1);
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(1), Duration.ofMillis(4), Duration.ofMinutes(1));
  private static final JavaProcess SLEEPER = Sleeper.program();

  private final List<String> events = new CopyOnWriteArrayList<>();

  @TempDir private Path directory;

  private Supervisor supervisor;

  private Supervisor supervise() {
    return supervise(IDLE);
  }

  private Supervisor supervise(Duration patience) {
    InstantSource clock = InstantSource.fixed(Instant.EPOCH);
    supervisor = new Supervisor(directory, Map.of(), patience, BACKOFF, clock, events::add);
    return supervisor;
  }

  @AfterEach
  void close() {
    supervisor.close();
  }

  @Test
  void startsAProcessAgainThatWasKilled() throws IOException {
    SupervisedProcess process = supervise().start(Supervised.of("sleeper", SLEEPER));
    long first = process.pid();
    assertThat(pidFile()).hasContent(first + "\n");
    process.kill();
    await(() -> process.restarts() == 1 && process.isAlive());
    assertThat(process.pid()).isNotEqualTo(first);
    await(() -> events.contains("sleeper runs again (pid " + process.pid() + ")"));
    assertThat(pidFile()).hasContent(process.pid() + "\n");
    assertThat(events.get(0)).isEqualTo("sleeper runs (pid " + first + ")");
    assertThat(events.get(1))
        .startsWith("sleeper (pid " + first + ") was killed by signal 9 after ")
        .endsWith(" s; it is started again in 0.0 s (restart 1)");
    assertThat(Files.readAllLines(directory.resolve("logs/supervisor.log")))
        .first()
        .isEqualTo("1970-01-01T00:00:00Z sleeper runs (pid " + first + ")");
  }

  @Test
  void doesSomethingWhileAProcessIsNotThere() {
    SupervisedProcess process = supervise().start(Supervised.of("sleeper", SLEEPER));
    List<Boolean> alive = new CopyOnWriteArrayList<>();
    process.kill(() -> alive.add(process.isAlive())).join();
    assertThat(alive).containsExactly(false);
    await(() -> process.restarts() == 1 && process.isAlive());
    process.kill();
    await(() -> process.restarts() == 2);
    assertThat(alive).as("once").hasSize(1);
  }

  @Test
  void endsAProcessInOrderAndForGood() {
    SupervisedProcess process = supervise().start(Supervised.of("sleeper", SLEEPER));
    await(() -> hasPrinted(process));
    supervisor.stop(process, Patience.MINUTE);
    assertThat(process.isAlive()).isFalse();
    assertThat(process.restarts()).isZero();
    assertThat(pidFile()).doesNotExist();
    assertThat(events).last().isEqualTo("sleeper is stopped");
  }

  @Test
  void emptiesTheScratchOfAProcessBeforeItStarts() throws IOException {
    Path scratch = Files.createDirectories(directory.resolve("tmp/old/deep")).getParent();
    Files.writeString(scratch.resolve("deep/file"), "left behind");
    supervise().start(new Supervised("sleeper", SLEEPER, List.of(scratch)));
    assertThat(scratch).isEmptyDirectory();
  }

  @Test
  void whatAnEarlierSupervisorLeftMayEndInOrder() throws Exception {
    Process orphan = leave(SLEEPER);
    supervise();
    assertThat(orphan.waitFor()).as("ended by itself, at signal 15").isEqualTo(143);
    assertThat(pidFile()).doesNotExist();
    assertThat(events)
        .containsExactly("sleeper of an earlier service (pid " + orphan.pid() + ") is ended");
  }

  @Test
  void whatAnEarlierSupervisorLeftAndDoesNotEndIsKilled() throws Exception {
    Process orphan = leave(Sleeper.deaf());
    // A stream of lines would be read to its end, which a deaf process never comes to.
    boolean deaf = orphan.inputReader().lines().anyMatch(Sleeper.ASLEEP::equals);
    assertThat(deaf).isTrue();
    supervise(Duration.ofMillis(1));
    assertThat(orphan.waitFor()).as("killed by signal 9").isEqualTo(137);
    assertThat(pidFile()).doesNotExist();
  }

  private Process leave(JavaProcess program) throws IOException {
    PidFile file = PidFile.of(Files.createDirectories(directory.resolve("pids")), "sleeper");
    Process orphan = program.builder(List.of(file.mark())).start();
    file.write(orphan.pid());
    return orphan;
  }

  @Test
  void leavesAProcessAloneThatHasGotThePidOfAnother() throws Exception {
    PidFile file = PidFile.of(Files.createDirectories(directory.resolve("pids")), "sleeper");
    Process stranger = SLEEPER.builder(List.of("-Dsluice.pid-file=elsewhere")).start();
    try {
      file.write(stranger.pid());
      supervise();
      assertThat(stranger.isAlive()).isTrue();
      assertThat(pidFile()).doesNotExist();
      assertThat(events).isEmpty();
    } finally {
      stranger.destroyForcibly().waitFor();
    }
  }

  private Path pidFile() {
    return directory.resolve("pids/sleeper.pid");
  }

  private static boolean hasPrinted(SupervisedProcess process) {
    try {
      return Files.readString(process.output()).contains(Sleeper.ASLEEP);
    } catch (IOException e) {
      return false;
    }
  }

  private static void await(BooleanSupplier condition) {
    Patience.await(IDLE, condition);
  }
}
