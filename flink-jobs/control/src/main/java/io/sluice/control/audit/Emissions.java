package io.sluice.control.audit;

import io.sluice.control.history.RunHistory;
import io.sluice.control.history.TopicScan;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunSpec;
import io.sluice.schema.Supply;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * All sequences that a run has been granted, from its log alone: the stream need not be there. A
 * sequence is emitted soon after it is granted.
 */
public final class Emissions {
  private Emissions() {}

  /**
   * Hands on every sequence of a run, timeline by timeline, in the order of the stream. Those of a
   * fork begin behind the batch that it was forked at; what was before is its origin's.
   */
  public static void forEach(KafkaAccess access, RunHistory history, Consumer<Emission> sink) {
    RunSpec spec = history.spec();
    BlockOrders orders = new BlockOrders(spec.getSeed(), sizes(access, spec));
    for (Expectation timeline : Timelines.of(history).expectations().values()) {
      while (timeline.hasNext()) {
        Expectation.Sequence next = timeline.next();
        boolean own = history.state().lineage().owner(next.batch()) == timeline.timeline();
        BlockPlace block = new BlockPlace(next.name(), next.lane(), orders.block(next));
        sink.accept(new Emission(timeline.timeline(), next.batch(), next.index(), block, !own));
      }
    }
  }

  private static BlockOrders.Sizes sizes(KafkaAccess access, RunSpec spec) {
    Map<String, Long> ended = new HashMap<>();
    new TopicScan(access)
        .read(
            Supply.class,
            access.topics().supply(spec.getDataset()),
            supply -> {
              if (supply.getEnded() && supply.getFingerprint() == spec.getFingerprint()) {
                ended.put(supply.getDomain() + "/" + supply.getLane(), supply.getBlocks());
              }
            });
    return (domain, lane) -> {
      Long size = ended.get(domain + "/" + lane);
      return size == null ? OptionalLong.empty() : OptionalLong.of(size);
    };
  }
}
