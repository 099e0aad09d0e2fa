package io.sluice.cli.forget.purge;

import java.util.ArrayList;
import java.util.List;

/**
 * What a purge did; for programs as it is.
 *
 * @param topics that had some of the documents, and are without them
 * @param streams of runs that have ended, which are empty now
 * @param letters numbers of dead letters that still hold the beginning of one of the documents
 * @param left records that still have one of the documents; 0, or the purge has failed
 */
public record PurgeReport(
    List<Cleaned> topics, List<String> streams, List<Long> letters, long left) {
  private static final int SHOWN = 10;

  /**
   * A topic that was replaced.
   *
   * @param purged records that had some of the documents
   * @param records all of them
   */
  public record Cleaned(String topic, long purged, long records) {}

  /** For people. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (Cleaned each : topics) {
      lines.add(
          "%s: %,d of %,d records had some of the documents"
              .formatted(each.topic, each.purged, each.records));
    }
    streams.forEach(stream -> lines.add(stream + " is empty: its run has ended"));
    lines.add(
        left == 0
            ? "no record of a corpus or of blocks has one of the documents"
            : "%,d records still have some of the documents".formatted(left));
    if (!letters.isEmpty()) {
      lines.add(
          "%,d dead letters hold the beginning of one, and 'sluice deadletter drop' deletes the oldest: %s%s"
              .formatted(
                  letters.size(),
                  letters.stream().limit(SHOWN).toList(),
                  letters.size() > SHOWN ? " and so on" : ""));
    }
    return lines;
  }
}
