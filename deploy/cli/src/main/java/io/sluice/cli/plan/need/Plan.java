package io.sluice.cli.plan.need;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What applying some files would need.
 *
 * @param brokers that the cluster has, or is thought to have
 * @param asked whether the brokers were asked
 * @param notes what was found on the way, for people
 */
public record Plan(
    int brokers,
    boolean asked,
    List<PlannedTopic> topics,
    List<OfDataset> datasets,
    List<OfRun> runs,
    List<String> refineries,
    List<PlannedUser> users,
    List<String> notes) {
  /**
   * What a dataset comes to.
   *
   * @param tokens for training; empty if nobody says how many
   * @param from what says it
   * @param store bytes of rows in its store; empty if it has none, or nobody knows
   */
  public record OfDataset(String dataset, OptionalLong tokens, String from, OptionalLong store) {}

  /**
   * What a run takes beside its topics.
   *
   * @param tokens that it trains on; empty if it has no end
   * @param evaluation what its decisions take of its trainers; empty if nothing, or not known
   */
  public record OfRun(
      String run,
      String dataset,
      OptionalLong tokens,
      MixMemory memory,
      Optional<EvaluationCost> evaluation) {}

  /** Copies the lists. */
  public Plan {
    topics = List.copyOf(topics);
    datasets = List.copyOf(datasets);
    runs = List.copyOf(runs);
    refineries = List.copyOf(refineries);
    users = List.copyOf(users);
    notes = List.copyOf(notes);
  }

  /** Bytes that are estimated, each once. */
  public long bytes() {
    return topics.stream().mapToLong(topic -> topic.bytes().orElse(0)).reduce(0, Counts::sum);
  }

  /** Bytes that are estimated, with all copies; one, where the brokers give what they give. */
  public long copiedBytes() {
    return topics.stream()
        .mapToLong(topic -> Counts.product(topic.bytes().orElse(0), topic.replicas().orElse(1)))
        .reduce(0, Counts::sum);
  }
}
