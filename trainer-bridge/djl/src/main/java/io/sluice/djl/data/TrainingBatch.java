package io.sluice.djl.data;

import io.sluice.schema.TokenBlock;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The blocks of one optimizer step, with their place in the stream.
 *
 * @param timeline 0 until a rewind
 * @param batch number of the global batch, from 1
 * @param weightsVersion version of the mixture that governs it
 * @param blocks in stream order; where the run cuts sequences into shorter rows, these rows
 */
public record TrainingBatch(int timeline, long batch, int weightsVersion, List<TokenBlock> blocks) {
  /** Copies the list and checks the ranges. */
  public TrainingBatch {
    blocks = List.copyOf(blocks);
    if (batch < 1) {
      throw new IllegalArgumentException("batch must be at least 1: " + batch);
    }
    if (blocks.isEmpty()) {
      throw new IllegalArgumentException("batch " + batch + " must have at least one block");
    }
  }

  /** Blocks of each domain in it, by name. */
  public Map<String, Integer> sequencesByDomain() {
    Map<String, Integer> counts = new TreeMap<>();
    for (TokenBlock block : blocks) {
      counts.merge(block.getDomain(), 1, Integer::sum);
    }
    return counts;
  }
}
