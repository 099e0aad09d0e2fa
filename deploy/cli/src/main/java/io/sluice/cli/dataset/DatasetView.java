package io.sluice.cli.dataset;

import io.sluice.schema.DatasetSpec;
import java.io.PrintWriter;
import java.util.List;

/** A dataset as reports show it. */
record DatasetView(
    String dataset,
    String fingerprint,
    String tokenizer,
    int vocabulary,
    int tokenWidth,
    int sequenceLength,
    int shuffleBuffer,
    long seed,
    double heldOut,
    int lanes,
    List<String> domains) {

  static DatasetView of(DatasetSpec spec) {
    return new DatasetView(
        spec.getName(),
        String.format("%016x", spec.getFingerprint()),
        spec.getTokenizer(),
        spec.getVocabulary(),
        spec.getTokenWidth(),
        spec.getSequenceLength(),
        spec.getShuffleBuffer(),
        spec.getSeed(),
        spec.getHeldOut(),
        spec.getLanes(),
        List.copyOf(spec.getDomains()));
  }

  /** As YAML, with the keys of a dataset file where it has them. */
  void print(PrintWriter out) {
    out.println("dataset: " + dataset);
    out.println("fingerprint: " + fingerprint);
    out.println("tokenizer: " + tokenizer);
    out.println("vocabulary: " + vocabulary);
    out.println("token-width: " + tokenWidth + " bytes");
    out.println("sequence-length: " + sequenceLength + " tokens");
    out.println("shuffle-buffer: " + shuffleBuffer + " documents");
    out.println("seed: " + seed);
    out.println("held-out: " + heldOut);
    out.println("lanes: " + lanes);
    out.println("domains: [" + String.join(", ", domains) + "]");
  }
}
