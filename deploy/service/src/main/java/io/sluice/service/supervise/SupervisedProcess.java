package io.sluice.service.supervise;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A process that is started again whenever it ends, until it is stopped. */
public final class SupervisedProcess {
  private static final int SIGNALLED = 128;

  private final Supervised what;
  private final Map<String, String> environment;
  private final PidFile pidFile;
  private final Path output;
  private final Backoff backoff;
  private final Consumer<String> events;
  private final Thread thread;
  private volatile @Nullable Process process;
  private volatile boolean stopping;
  private volatile int restarts;
  private volatile @Nullable CompletableFuture<Void> meanwhile;

  /**
   * @param environment variables beside its own
   * @param pids directory of the pid file
   * @param logs directory of what the process prints
   * @param events told of each end and start
   */
  SupervisedProcess(
      Supervised what,
      Map<String, String> environment,
      Path pids,
      Path logs,
      Backoff backoff,
      Consumer<String> events) {
    this.what = what;
    this.environment = Map.copyOf(environment);
    this.pidFile = PidFile.of(pids, what.name());
    this.output = logs.resolve(what.name() + ".out");
    this.backoff = backoff;
    this.events = events;
    this.thread = new Thread(this::supervise, "sluice-supervise-" + what.name());
    thread.setDaemon(true);
  }

  void start() {
    process = spawn();
    thread.start();
  }

  /** Name of the process. */
  public String name() {
    return what.name();
  }

  /** Whether the process runs now. */
  public boolean isAlive() {
    Process now = process;
    return now != null && now.isAlive();
  }

  /** The process number of its present or last life. */
  public long pid() {
    Process now = process;
    return now == null ? -1 : now.pid();
  }

  /** How often it was started again. */
  public int restarts() {
    return restarts;
  }

  /** What it has printed. */
  public Path output() {
    return output;
  }

  /** Ends its present life at once, as a crash would; it will be started again. */
  public void kill() {
    Process now = process;
    if (now != null) {
      now.destroyForcibly();
    }
  }

  /**
   * Ends its present life at once, and does something while the process is not there.
   *
   * @param what done before it is started again
   * @return ends when that is done, as that does
   */
  public CompletableFuture<Void> kill(Runnable what) {
    CompletableFuture<Void> gone = new CompletableFuture<>();
    CompletableFuture<Void> done = gone.thenRun(what);
    meanwhile = gone;
    kill();
    return done;
  }

  /** Ends its present life in order if it has last words; it will be started again, and faster. */
  public void renew() {
    Process now = process;
    Duration lastWords = what.program().lastWords();
    if (now != null && !lastWords.isZero()) {
      JavaProcess.end(now, lastWords);
    }
  }

  /**
   * Stops it for good: its standard input ends, and after the given time it is killed.
   *
   * @param patience zero to kill it at once, unless it has last words
   */
  public void stop(Duration patience) {
    stopping = true;
    thread.interrupt();
    Process now = process;
    if (now != null) {
      Duration lastWords = what.program().lastWords();
      JavaProcess.end(now, patience.compareTo(lastWords) < 0 ? lastWords : patience);
    }
    pidFile.remove();
  }

  private void supervise() {
    Duration pause = Duration.ZERO;
    try {
      while (!stopping) {
        Process now = process;
        long born = System.nanoTime();
        int code = now == null ? -1 : now.waitFor();
        if (stopping) {
          return;
        }
        Duration lived = Duration.ofNanos(System.nanoTime() - born);
        pause = backoff.after(pause, lived, code > SIGNALLED);
        events.accept(obituary(now, code, lived, pause));
        passMeanwhile();
        TimeUnit.MILLISECONDS.sleep(pause.toMillis());
        respawn();
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private void passMeanwhile() {
    CompletableFuture<Void> gone = meanwhile;
    if (gone != null) {
      meanwhile = null;
      gone.complete(null);
    }
  }

  private synchronized void respawn() {
    if (stopping) {
      return;
    }
    restarts++;
    try {
      Process next = spawn();
      process = next;
      events.accept(what.name() + " runs again (pid " + next.pid() + ")");
      if (stopping) {
        next.destroyForcibly();
      }
    } catch (UncheckedIOException e) {
      process = null;
      events.accept(what.name() + " cannot be started: " + e.getMessage());
    }
  }

  private String obituary(@Nullable Process ended, int code, Duration lived, Duration pause) {
    return String.format(
        Locale.ROOT,
        "%s (pid %d) %s after %.1f s; it is started again in %.1f s (restart %d)",
        what.name(),
        ended == null ? -1 : ended.pid(),
        code > SIGNALLED
            ? "was killed by signal " + (code - SIGNALLED)
            : "ended with code " + code + " (see " + output + ")",
        lived.toMillis() / 1e3,
        pause.toMillis() / 1e3,
        restarts + 1);
  }

  private Process spawn() {
    try {
      what.renewScratch();
      Files.createDirectories(output.getParent());
      ProcessBuilder builder =
          what.program()
              .builder(List.of(pidFile.mark()))
              .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
      builder.environment().putAll(environment);
      Process started = builder.start();
      pidFile.write(started.pid());
      return started;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + what.name(), e);
    }
  }
}
