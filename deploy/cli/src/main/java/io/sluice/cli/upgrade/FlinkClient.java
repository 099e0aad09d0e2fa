package io.sluice.cli.upgrade;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Commands of Flink's own client.
 *
 * @param server HOST:PORT of the job manager; '' for the one that the client's configuration names
 */
record FlinkClient(String server) {
  /** Stops a job with a savepoint below a folder. */
  String stop(String folder, String job) {
    return ShellWords.line(with("stop", List.of("--savepointPath", folder, job)));
  }

  /** Ends a job as it stands. */
  String cancel(String job) {
    return ShellWords.line(with("cancel", List.of(job)));
  }

  /** Lists the jobs that run. */
  String list() {
    return ShellWords.line(with("list", List.of()));
  }

  /**
   * Starts a job from a savepoint.
   *
   * @param parallelism as a number, or what stands for one
   * @param options of Flink's, beside those of the cluster
   */
  String run(
      String savepoint,
      String parallelism,
      String jar,
      List<String> arguments,
      Map<String, String> options) {
    List<String> words = new ArrayList<>(List.of("-d", "-s", savepoint, "-p", parallelism));
    new TreeMap<>(options).forEach((key, value) -> words.add("-D" + key + "=" + value));
    words.add(jar);
    words.addAll(arguments);
    return ShellWords.line(with("run", words));
  }

  private List<String> with(String action, List<String> more) {
    List<String> words = new ArrayList<>(List.of("flink", action));
    if (!server.isEmpty()) {
      words.addAll(List.of("-m", server));
    }
    words.addAll(more);
    return words;
  }
}
