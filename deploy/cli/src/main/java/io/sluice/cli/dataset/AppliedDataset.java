package io.sluice.cli.dataset;

import io.sluice.schema.DatasetSpec;
import java.util.List;
import java.util.Locale;

/**
 * What publishing a dataset did.
 *
 * @param outcome new, changed or unchanged
 * @param changes a line for each field that differs from before
 * @param documentIds what its blocks have of their documents
 * @param keptDocumentIds whether that is another than its file says
 */
record AppliedDataset(
    String dataset,
    String fingerprint,
    String outcome,
    List<String> changes,
    String documentIds,
    boolean keptDocumentIds) {
  /** What became of it. */
  enum Outcome {
    NEW,
    CHANGED,
    UNCHANGED
  }

  /**
   * Of a dataset that is published.
   *
   * @param askedIds what its file says of document ids
   */
  static AppliedDataset of(
      DatasetSpec published, Outcome outcome, List<String> changes, String askedIds) {
    return new AppliedDataset(
        published.getName(),
        String.format("%016x", published.getFingerprint()),
        outcome.name().toLowerCase(Locale.ROOT),
        outcome == Outcome.CHANGED ? changes : List.of(),
        published.getDocumentIds(),
        !published.getDocumentIds().equals(askedIds));
  }

  /** What became of it, and of a new one who makes its blocks. */
  List<String> lines() {
    return outcome.equals("new")
        ? List.of(
            line(),
            "its blocks are made by 'sluice up', or in a Flink of your own by the job 'prepare"
                + " --dataset %s'; 'sluice doctor' says if nobody makes them".formatted(dataset))
        : List.of(line());
  }

  /** For a person. */
  String line() {
    String kept = keptDocumentIds ? "; it keeps document-ids: " + documentIds : "";
    return switch (outcome) {
      case "new" -> "dataset " + dataset + " is published";
      case "changed" -> "dataset " + dataset + " is changed: " + String.join("; ", changes) + kept;
      default -> "dataset " + dataset + " is unchanged" + kept;
    };
  }
}
