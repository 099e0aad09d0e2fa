package io.sluice.cli.doctor;

import io.sluice.cli.storage.Deployment;
import io.sluice.cli.storage.TopicOwners;
import java.util.List;
import java.util.concurrent.ExecutionException;

/** Whether there are topics under the prefix that no dataset, run or domain has. */
record OrphansCheck(Brokers brokers) implements Check {
  @Override
  public String name() {
    return "orphans";
  }

  @Override
  public List<Finding> look() throws ExecutionException, InterruptedException {
    Deployment deployment = brokers.deployment();
    List<String> orphans =
        new TopicOwners(brokers.topics(), deployment).orphans(deployment.names());
    if (orphans.isEmpty()) {
      return List.of(
          Finding.ok(name(), "somebody owns each of " + deployment.names().size() + " topics"));
    }
    String servers = brokers.access().bootstrapServers();
    return orphans.stream()
        .map(
            topic ->
                Finding.warning(
                    name(),
                    topic + " is nobody's",
                    "'kafka-topics.sh --bootstrap-server %s --delete --topic %s' if nobody needs it"
                        .formatted(servers, topic)))
        .toList();
  }
}
