package io.sluice.cli.upgrade;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The steps as commands of others' tools, for whoever does them by hand.
 *
 * @param savepoints where savepoints go; empty for what the reader puts in
 * @param parallelism to come; empty for what the reader puts in
 */
record ManualSteps(JobsJar jar, Optional<String> savepoints, Optional<Integer> parallelism) {
  private static final FlinkClient CLIENT = new FlinkClient("");

  /** The steps for a job. */
  List<String> lines(JobName job, List<String> arguments) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "# " + job.flinks() + ", to release " + jar.version() + ", built for Flink " + jar.flink());
    lines.add(
        "# by Flink's own client: JOB is the id in its list, SAVEPOINT the path that 'stop'"
            + " prints");
    lines.add(CLIENT.list());
    lines.add(CLIENT.stop(savepoints.orElse("SAVEPOINTS"), "JOB"));
    lines.add(
        CLIENT.run(
            "SAVEPOINT",
            parallelism.map(String::valueOf).orElse("PARALLELISM"),
            jar.file().toString(),
            arguments));
    lines.add("# back: the same 'run' with the jar of before");
    lines.add(
        "# or by Flink's operator, where upgradeMode is savepoint, with an image that has the jar");
    lines.add(patch(job, "\"image\": \"sluice-jobs:" + jar.version() + "\", ", ""));
    lines.add("# or without an image, with the jar where the deployment finds it");
    lines.add(patch(job, "", "\"jarURI\": \"URI-OF-" + jar.file().getFileName() + "\", "));
    lines.add(
        "kubectl wait --for jsonpath='{.status.lifecycleState}'=STABLE --timeout 10m"
            + " flinkdeployment/"
            + job.deployment());
    return lines;
  }

  private String patch(JobName job, String ofSpec, String ofJob) {
    String scaled = parallelism.map(n -> ", \"parallelism\": " + n).orElse("");
    return ShellWords.line(
        List.of(
            "kubectl",
            "patch",
            "flinkdeployment",
            job.deployment(),
            "--type",
            "merge",
            "-p",
            "{\"spec\": {"
                + ofSpec
                + "\"job\": {"
                + ofJob
                + "\"upgradeMode\": \"savepoint\""
                + scaled
                + "}}}"));
  }
}
