package io.sluice.control.history;

import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Supply;
import java.util.Map;
import java.util.TreeMap;

/** What PrepareJob has committed of each domain of a dataset. */
public final class SupplyHistory {
  private SupplyHistory() {}

  /** The newest supply of each domain, its lanes together, by name; domains without are absent. */
  public static Map<String, Supply> newest(KafkaAccess access, String dataset) {
    Map<String, Map<Integer, Supply>> lanes = new TreeMap<>();
    new TopicScan(access)
        .read(
            Supply.class,
            access.topics().supply(dataset),
            supply ->
                lanes
                    .computeIfAbsent(supply.getDomain(), domain -> new TreeMap<>())
                    .put(supply.getLane(), supply));
    Map<String, Supply> newest = new TreeMap<>();
    lanes.forEach(
        (domain, parts) ->
            newest.put(domain, parts.values().stream().reduce(SupplyHistory::together).get()));
    return newest;
  }

  private static Supply together(Supply one, Supply other) {
    return Supply.newBuilder(one)
        .setBlocks(one.getBlocks() + other.getBlocks())
        .setEvalBlocks(one.getEvalBlocks() + other.getEvalBlocks())
        .setTrainedTokens(one.getTrainedTokens() + other.getTrainedTokens())
        .setDocuments(one.getDocuments() + other.getDocuments())
        .setEnded(one.getEnded() && other.getEnded())
        .build();
  }
}
