package io.sluice.lab.demo.recipe;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.sluice.control.error.UnreachableException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Types lines into bash, one after the other.
 *
 * @param folder where they are typed
 * @param environment beside this process's own
 * @param limit how long a line may take
 * @param printed told each line that one prints, as it comes
 */
public record Shell(
    Path folder, Map<String, String> environment, Duration limit, Consumer<String> printed) {
  /** Most lines of what one printed that are kept, the last ones. */
  static final int KEPT = 200;

  private static final Duration LAST_WORDS = Duration.ofSeconds(5);
  private static final Duration GRACE = Duration.ofSeconds(15);

  /**
   * What became of a line.
   *
   * @param exit code of the shell
   * @param said what it printed, its last {@link #KEPT} lines at most
   */
  record Ended(int exit, List<String> said) {}

  /** Copies the environment. */
  public Shell {
    environment = Map.copyOf(environment);
  }

  /**
   * Types a line and waits for its end.
   *
   * @throws InterruptedException if this thread is interrupted; what the line began has ended then
   * @throws UnreachableException if there is no bash, or the line takes longer than it may
   */
  Ended type(String line) throws InterruptedException {
    Process process = start(line);
    Output output = new Output(process, printed);
    output.start();
    try {
      if (!process.waitFor(limit.toMillis(), MILLISECONDS)) {
        throw new UnreachableException(
            "'" + line + "' has not ended within " + limit.toMinutes() + " min");
      }
      output.join(LAST_WORDS.toMillis());
      return new Ended(process.exitValue(), output.last());
    } finally {
      end(process);
    }
  }

  /** Ends what a line began and has not ended, in order if it does not take too long. */
  private static void end(Process process) {
    List<ProcessHandle> all =
        Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList();
    all.forEach(ProcessHandle::destroy);
    for (ProcessHandle each : all) {
      var unused = each.onExit().completeOnTimeout(each, GRACE.toMillis(), MILLISECONDS).join();
      each.destroyForcibly();
    }
  }

  private Process start(String line) {
    ProcessBuilder bash =
        new ProcessBuilder("bash", "-c", line).directory(folder.toFile()).redirectErrorStream(true);
    bash.environment().putAll(environment);
    try {
      Process process = bash.start();
      process.getOutputStream().close();
      return process;
    } catch (IOException e) {
      throw new UnreachableException("needs bash: " + e.getMessage(), e);
    }
  }

  /** Reads what a process prints, until it closes its output. */
  private static final class Output extends Thread {
    private final Process process;
    private final Consumer<String> printed;
    private final Deque<String> last = new ArrayDeque<>();

    Output(Process process, Consumer<String> printed) {
      super("sluice-recipe");
      this.process = process;
      this.printed = printed;
      setDaemon(true);
    }

    @Override
    public void run() {
      try (BufferedReader reader = process.inputReader()) {
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
          take(line);
        }
      } catch (IOException ended) {
        take("(its output broke off: " + ended.getMessage() + ")");
      }
    }

    private synchronized void take(String line) {
      printed.accept(line);
      last.addLast(line);
      if (last.size() > KEPT) {
        last.removeFirst();
      }
    }

    synchronized List<String> last() {
      return List.copyOf(last);
    }
  }
}
