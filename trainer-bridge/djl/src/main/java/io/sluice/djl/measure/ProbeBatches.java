package io.sluice.djl.measure;

import io.sluice.djl.model.Bounds;
import io.sluice.schema.TokenBlock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Probe batches of every domain: a pool of blocks that is walked in order, round and round, a batch
 * at a time. Which blocks a draw gets depends on its number alone, so a training that is resumed
 * measures on what it would have measured on.
 */
public final class ProbeBatches {
  private final Map<String, List<TokenBlock>> pools = new LinkedHashMap<>();
  private final int blocks;

  /**
   * Batches out of these pools.
   *
   * @param pools blocks by domain
   * @param blocks of one batch; a smaller pool is its domain's batch every time
   * @throws IllegalArgumentException if a pool has no block with a trained token
   */
  public ProbeBatches(Map<String, List<TokenBlock>> pools, int blocks) {
    if (pools.isEmpty()) {
      throw new IllegalArgumentException("probe batches need at least 1 domain: 0");
    }
    Bounds.requireAtLeast("blocks", blocks, 1);
    pools.forEach(
        (domain, pool) -> {
          List<TokenBlock> trained =
              pool.stream().filter(block -> block.getTrainedTokens() > 0).toList();
          if (trained.isEmpty()) {
            throw new IllegalArgumentException(
                "domain "
                    + domain
                    + " must have at least 1 probe block with trained tokens: 0 of "
                    + pool.size()
                    + "; raise the data set's held-out share or add documents");
          }
          this.pools.put(domain, trained);
        });
    this.blocks = blocks;
  }

  /** The domains, in the order they were given in. */
  public List<String> domains() {
    return List.copyOf(pools.keySet());
  }

  /** The blocks of one draw, counted from 0. */
  public List<TokenBlock> batch(String domain, long draw) {
    List<TokenBlock> pool = pools.getOrDefault(domain, List.of());
    int count = Math.min(blocks, pool.size());
    List<TokenBlock> batch = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      batch.add(pool.get((int) Math.floorMod(draw * count + i, (long) pool.size())));
    }
    return batch;
  }
}
