package io.sluice.djl.measure;

import io.sluice.djl.model.Bounds;
import java.util.List;

/**
 * How the reference trainer measures gradient alignments, where the run's specification leaves it
 * open.
 *
 * @param targetDomains domains whose held-out blocks are the specific set z; none, or the run's,
 *     where that names them
 * @param probeBlocks blocks of one domain's probe batch
 * @param poolBlocks held-out blocks of each domain, beyond those that are evaluated, from which the
 *     probe batches are taken in turn
 * @param clip whether each gradient is scaled down to norm 1 before the dot product
 */
public record AlignmentSettings(
    List<String> targetDomains, int probeBlocks, int poolBlocks, boolean clip) {
  /** Copies the list and checks the ranges. */
  public AlignmentSettings {
    targetDomains = List.copyOf(targetDomains);
    Bounds.requireAtLeast("alignment.probeBlocks", probeBlocks, 1);
    Bounds.requireAtLeast("alignment.poolBlocks", poolBlocks, probeBlocks);
  }

  /** Alignment with these domains: probe batches of 8 blocks out of 32, gradients clipped. */
  public static AlignmentSettings towards(List<String> targetDomains) {
    return new AlignmentSettings(targetDomains, 8, 32, true);
  }
}
