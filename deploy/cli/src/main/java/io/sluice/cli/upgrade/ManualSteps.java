package io.sluice.cli.upgrade;

import com.fasterxml.jackson.databind.node.TextNode;
import io.sluice.schema.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The steps as commands of others' tools, for whoever does them by hand.
 *
 * @param topics names of the deployment's, by which the operator's deployments are called
 * @param savepoints where savepoints go; empty for what the reader puts in
 * @param parallelism to come; empty for what the reader puts in
 * @param options of Flink's for the job to come
 */
record ManualSteps(
    JobsJar jar,
    Topics topics,
    Optional<String> savepoints,
    Optional<Integer> parallelism,
    Map<String, String> options) {
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
            arguments,
            options));
    lines.add("# back: the same 'run' with the jar of before");
    lines.add(
        "# or by Flink's operator, where upgradeMode is savepoint, with an image that has the jar");
    lines.add(patch(job, "\"image\": \"sluice-jobs:" + jar.version() + "\", ", ""));
    lines.add("# or without an image, with the jar where the deployment finds it");
    lines.add(patch(job, "", "\"jarURI\": \"URI-OF-" + jar.file().getFileName() + "\", "));
    lines.add(
        "kubectl wait --for jsonpath='{.status.lifecycleState}'=STABLE --timeout 10m"
            + " flinkdeployment/"
            + job.deployment(topics));
    return lines;
  }

  private String configuration() {
    return options.isEmpty()
        ? ""
        : options.entrySet().stream()
            .map(option -> quoted(option.getKey()) + ": " + quoted(option.getValue()))
            .sorted()
            .collect(Collectors.joining(", ", "\"flinkConfiguration\": {", "}, "));
  }

  private static String quoted(String text) {
    return TextNode.valueOf(text).toString();
  }

  private String patch(JobName job, String ofSpec, String ofJob) {
    String scaled = parallelism.map(n -> ", \"parallelism\": " + n).orElse("");
    return ShellWords.line(
        List.of(
            "kubectl",
            "patch",
            "flinkdeployment",
            job.deployment(topics),
            "--type",
            "merge",
            "-p",
            "{\"spec\": {"
                + ofSpec
                + configuration()
                + "\"job\": {"
                + ofJob
                + "\"upgradeMode\": \"savepoint\""
                + scaled
                + "}}}"));
  }
}
