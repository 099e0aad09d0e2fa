package io.sluice.control.wire;

import io.sluice.schema.RunSpec;

/** What a revision leaves as it is, because the stream would be another's. */
public final class SameStream {
  private SameStream() {}

  /**
   * Refuses a specification that a run cannot go over to, because its stream would be another's.
   *
   * @throws IllegalArgumentException naming the key, what it must stay, and what it would be
   */
  public static void require(RunSpec now, RunSpec wanted) {
    requireSame("run", now.getRun(), wanted.getRun());
    requireSame("dataset", now.getDataset(), wanted.getDataset());
    requireSame("fingerprint", now.getFingerprint(), wanted.getFingerprint());
    requireSame("tokenizer", now.getTokenizer(), wanted.getTokenizer());
    requireSame("vocabulary", now.getVocabulary(), wanted.getVocabulary());
    requireSame("sequence length", now.getSequenceLength(), wanted.getSequenceLength());
    requireSame("lanes", now.getLanes(), wanted.getLanes());
    requireSame("stream-partitions", now.getStreamPartitions(), wanted.getStreamPartitions());
    requireSame("seed", now.getSeed(), wanted.getSeed());
  }

  private static void requireSame(String key, Object now, Object wanted) {
    if (!now.equals(wanted)) {
      throw new IllegalArgumentException(
          key + " must stay " + now + ", a changed one is a new run: " + wanted);
    }
  }
}
