package io.sluice.cli.lineage;

import io.sluice.control.audit.Emission;

/**
 * One time that a part of a document went out.
 *
 * @param document its id, as the block has it
 * @param lane of the block
 * @param block its ordinal in the lane's part of the domain
 * @param run the run's name
 * @param timeline that granted the batch
 * @param batch it was in, from 1
 * @param sequence index of it in the run's stream
 * @param abandoned whether a rewind took the batch back, so that a trainer may or may not have had
 *     it
 */
public record LineageRow(
    String document,
    String domain,
    int lane,
    long block,
    String run,
    int timeline,
    long batch,
    long sequence,
    boolean abandoned,
    boolean masked,
    long maskedFrom) {
  static LineageRow of(
      String document, boolean named, String run, Emission emission, MaskHistory masks) {
    String domain = emission.block().domain();
    String inBlock = masks.inBlock(domain, document, named);
    return new LineageRow(
        document,
        domain,
        emission.block().lane(),
        emission.block().ordinal(),
        run,
        emission.timeline(),
        emission.batch(),
        emission.index(),
        emission.abandoned(),
        masks.masks(emission.timeline(), emission.batch(), domain, inBlock),
        masks.from(domain, inBlock));
  }

  /** The row for people. */
  public String line() {
    return "%s  %s  block %d/%d  run %s  batch %d  sequence %d  timeline %d%s%s"
        .formatted(
            document,
            domain,
            lane,
            block,
            run,
            batch,
            sequence,
            timeline,
            abandoned ? ", abandoned" : "",
            masked ? ", masked" : "");
  }
}
