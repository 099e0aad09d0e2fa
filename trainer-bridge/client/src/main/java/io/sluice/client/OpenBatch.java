package io.sluice.client;

import io.sluice.schema.StreamHeader;
import java.util.List;

/** A batch that some sequences of have been accepted. */
final class OpenBatch {
  private final StreamHeader shape;
  private final Sequence[] slots;
  private int filled;

  OpenBatch(StreamHeader first) {
    this.shape = first;
    this.slots = new Sequence[first.batchSize()];
  }

  /** Whether the header's own numbers fit together. */
  static boolean isConsistent(StreamHeader header) {
    long position = header.index() - header.firstIndex();
    return header.batch() >= 1
        && header.firstIndex() >= 0
        && position >= 0
        && position < header.batchSize();
  }

  boolean agreesWith(StreamHeader header) {
    return isConsistent(header)
        && header.firstIndex() == shape.firstIndex()
        && header.batchSize() == shape.batchSize()
        && header.weightsVersion() == shape.weightsVersion();
  }

  /** Puts a sequence in its place; each index comes once. */
  void put(Sequence sequence) {
    slots[(int) (sequence.index() - shape.firstIndex())] = sequence;
    filled++;
  }

  boolean isComplete() {
    return filled == slots.length;
  }

  long firstIndex() {
    return shape.firstIndex();
  }

  int size() {
    return shape.batchSize();
  }

  int weightsVersion() {
    return shape.weightsVersion();
  }

  List<Sequence> sequences() {
    return List.of(slots);
  }

  @Override
  public String toString() {
    return "batch "
        + shape.batch()
        + " (sequences "
        + shape.firstIndex()
        + " to "
        + (shape.firstIndex() + shape.batchSize() - 1)
        + ", weights version "
        + shape.weightsVersion()
        + ")";
  }
}
