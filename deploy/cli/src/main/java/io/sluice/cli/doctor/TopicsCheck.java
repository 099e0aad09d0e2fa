package io.sluice.cli.doctor;

import io.sluice.cli.storage.Deployment;
import io.sluice.control.runs.RunCatalog;
import io.sluice.control.topics.TopicDifference;
import io.sluice.control.topics.TopicInspection;
import io.sluice.schema.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;

/** Whether the topics of the service, its datasets, refineries and live runs are as wanted. */
record TopicsCheck(Brokers brokers) implements Check {
  @Override
  public String name() {
    return "topics";
  }

  @Override
  public List<Finding> look() throws ExecutionException, InterruptedException {
    Topics topics = brokers.topics();
    Deployment deployment = brokers.deployment();
    if (deployment.names().isEmpty()) {
      return List.of(
          Finding.warning(
              name(),
              "none begins with '" + topics.prefix() + "'",
              "'sluice up' makes them; --prefix names another deployment"));
    }
    TopicInspection inspection = new TopicInspection(brokers.admin(), topics);
    deployment.datasets().forEach(inspection::add);
    deployment.refineries().forEach(inspection::add);
    for (RunCatalog.Entry run : deployment.liveRuns(brokers.access())) {
      run.fold()
          .ifPresent(
              fold -> inspection.add(fold.spec(), run.runId(), run.start().orElseThrow().topic()));
    }
    return of(inspection.report());
  }

  /** What is said of topics that were held against what they must be. */
  List<Finding> of(TopicInspection.Report report) {
    List<Finding> findings = new ArrayList<>();
    for (String missing : report.missing()) {
      findings.add(Finding.failure(name(), missing + " is missing", helpForMissing(missing)));
    }
    for (TopicDifference difference : report.differences()) {
      findings.add(Finding.failure(name(), difference.toString(), help(difference)));
    }
    for (TopicDifference weakness : report.weaknesses()) {
      findings.add(
          Finding.warning(
              name(), weakness.toString().replace(" must have ", " should have "), help(weakness)));
    }
    if (findings.isEmpty()) {
      findings.add(Finding.ok(name(), report.topics() + " are as they must be"));
    }
    return findings;
  }

  private String helpForMissing(String topic) {
    Topics topics = brokers.topics();
    if (TopicInspection.serviceTopics(topics).contains(topic)) {
      return "the service makes it when it starts, as 'sluice up' does";
    }
    boolean ofRun =
        topic.startsWith(topics.control(""))
            || topic.startsWith(topics.stream(""))
            || topic.startsWith(topics.feedback(""));
    return ofRun
        ? "its run cannot go on: 'sluice run delete', and apply another"
        : "'sluice dataset apply' or 'sluice refine apply' with the same file makes it anew, empty";
  }

  private String help(TopicDifference difference) {
    String tool =
        " --bootstrap-server " + brokers.access().bootstrapServers() + " --alter --topic ";
    if (difference.key().contains(".")) {
      return "'kafka-configs.sh%s%s --add-config %s=%s'"
          .formatted(tool, difference.topic(), difference.key(), difference.wanted());
    }
    return switch (difference.key()) {
      case "partitions" ->
          "the place of what is in it depends on their number: delete what owns the topic, and"
              + " apply it anew";
      case "replicas" -> "'kafka-reassign-partitions.sh' gives it more";
      default -> "look after the brokers that should have it";
    };
  }
}
