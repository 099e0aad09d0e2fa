package io.sluice.jobs.mix.fetch;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;

/**
 * What reads the blocks of a split: a consumer for each so many of its domains.
 *
 * @param name of the split among the clients
 * @param partitions the lane's partition of each domain
 * @param domainsOfEach partitions that a consumer has at most
 */
public record BlockReaders(
    Consumers consumers,
    String name,
    int lane,
    List<TopicPartition> partitions,
    int domainsOfEach) {
  /** Copies the list. */
  public BlockReaders {
    partitions = List.copyOf(partitions);
  }

  /**
   * Connects to the block topics.
   *
   * @param budget bytes of blocks that the split keeps ready
   * @param offsets where blocks were found before
   */
  List<Supplier<BlockPartitions>> openings(long budget, Map<Integer, BlockOffsets> offsets) {
    int domains = partitions.size();
    int readers = (domains - 1) / domainsOfEach + 1;
    List<Supplier<BlockPartitions>> openings = new ArrayList<>();
    for (int reader = 0; reader < readers; reader++) {
      String clientId = name + "-" + reader;
      int from = (int) ((long) reader * domains / readers);
      int to = (int) ((reader + 1L) * domains / readers);
      openings.add(
          () ->
              new BlockPartitions(
                  consumers.blocks(clientId, lane, domains, readers, budget),
                  partitions,
                  from,
                  to,
                  offsets,
                  System::nanoTime));
    }
    return openings;
  }
}
