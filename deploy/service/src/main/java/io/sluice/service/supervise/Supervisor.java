package io.sluice.service.supervise;

import io.sluice.control.error.BadInputException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Keeps processes running: pid files in {@code pids}, what they print in {@code logs}, and what
 * happened to them in {@code logs/supervisor.log}.
 */
public final class Supervisor implements AutoCloseable {
  private static final long LOOK_MILLIS = 100;

  private final Map<String, String> environment;
  private final Path pids;
  private final Path logs;
  private final Backoff backoff;
  private final InstantSource clock;
  private final Consumer<String> events;
  private final PrintWriter journal;
  private final List<SupervisedProcess> processes = new CopyOnWriteArrayList<>();

  /**
   * A supervisor without processes. What an earlier one left running under the directory is ended.
   *
   * @param environment variables that every process has beside its own
   * @param directory holds {@code pids} and {@code logs}
   * @param patience what each that was left may take to end in order; then it is killed
   * @param events told, in a sentence, what happens
   * @throws BadInputException if the directory cannot be written
   */
  public Supervisor(
      Path directory,
      Map<String, String> environment,
      Duration patience,
      Backoff backoff,
      InstantSource clock,
      Consumer<String> events) {
    this.environment = Map.copyOf(environment);
    this.pids = directory.resolve("pids");
    this.logs = directory.resolve("logs");
    this.backoff = backoff;
    this.clock = clock;
    this.events = events;
    try {
      Files.createDirectories(logs);
      Files.createDirectories(pids);
      this.journal =
          new PrintWriter(
              Files.newBufferedWriter(
                  logs.resolve("supervisor.log"),
                  StandardCharsets.UTF_8,
                  StandardOpenOption.CREATE,
                  StandardOpenOption.APPEND),
              true);
      endOrphans(patience);
    } catch (IOException e) {
      throw new BadInputException(
          "state directory must be one that can be made and written: " + directory + ": " + e, e);
    }
  }

  private void endOrphans(Duration patience) throws IOException {
    for (PidFile file : PidFile.in(pids)) {
      file.orphan().ifPresent(orphan -> end(file.name(), orphan, patience));
      file.remove();
    }
  }

  private void end(String name, ProcessHandle orphan, Duration patience) {
    String who = name + " of an earlier service (pid " + orphan.pid() + ")";
    tell(who + " is ended");
    orphan.destroy();
    LongWait wait = new LongWait(this::tell);
    long begun = System.nanoTime();
    while (orphan.isAlive() && System.nanoTime() - begun < patience.toNanos()) {
      wait.goOn(() -> who + " ends in order; what it does not write, the next start recovers");
      orphan.onExit().completeOnTimeout(orphan, LOOK_MILLIS, TimeUnit.MILLISECONDS).join();
    }
    orphan.destroyForcibly();
    orphan.onExit().join();
  }

  /** Starts a process and keeps it running. */
  public SupervisedProcess start(Supervised what) {
    SupervisedProcess process =
        new SupervisedProcess(what, environment, pids, logs, backoff, this::tell);
    process.start();
    processes.add(process);
    tell(what.name() + " runs (pid " + process.pid() + ")");
    return process;
  }

  /** Stops a process for good; see {@link SupervisedProcess#stop}. */
  public void stop(SupervisedProcess process, Duration patience) {
    process.stop(patience);
    processes.remove(process);
    tell(process.name() + " is stopped");
  }

  /** Directory of the processes' logs. */
  public Path logs() {
    return logs;
  }

  private synchronized void tell(String event) {
    journal.println(clock.instant().truncatedTo(ChronoUnit.MILLIS) + " " + event);
    events.accept(event);
  }

  /** Kills every process that still runs, the last one first. */
  @Override
  public void close() {
    for (int i = processes.size() - 1; i >= 0; i--) {
      processes.get(i).stop(Duration.ZERO);
    }
    journal.close();
  }
}
