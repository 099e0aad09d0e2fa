package io.sluice.control.audit;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.control.digest.DigestReport;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;

/**
 * What an audit found.
 *
 * @param timelines that the run has had
 * @param sequences accepted sequences, each held against the logs
 * @param duplicates records that a reader drops because it has their index already
 * @param granted last granted batch
 * @param from index of the first sequence from which on nothing was reclaimed; 0 when nothing was,
 *     {@link Long#MAX_VALUE} when a partition has nothing left
 * @param first batch of which, and of those after it, nothing was reclaimed
 * @param emitted last batch of the current lineage of which every sequence is in the stream
 * @param violations one sentence each; empty when everything holds
 * @param unchecked what could not be checked here, one sentence each
 * @param mostBehind largest Σ w·G − sequences of any domain after any batch, in sequences
 * @param mostAhead smallest Σ w·G − sequences of any domain after any batch, in sequences
 * @param composition sequences of each domain in each emitted batch
 * @param digest SHA-256 over headers, timestamps and blocks of the accepted sequences; '' of a run
 *     that has no stream
 * @param digests what ranks said that they read
 */
public record AuditReport(
    String runId,
    int timelines,
    long sequences,
    long duplicates,
    long granted,
    long from,
    long first,
    long emitted,
    List<String> violations,
    List<String> unchecked,
    double mostBehind,
    double mostAhead,
    SortedMap<Long, Map<String, Integer>> composition,
    String digest,
    DigestReport digests) {

  /** Whether every invariant that was checked holds. */
  public boolean passed() {
    return violations.isEmpty();
  }

  /** The report in one line. */
  public String summary() {
    return String.format(
        Locale.ROOT,
        "audit of %s %s: %s, plan error in [%.3f, %.3f] sequences, %s",
        runId,
        passed() ? "passed" : "FAILED",
        digest.isEmpty() ? granted + " batches granted, no stream" : stream(),
        mostAhead,
        mostBehind,
        digests.summary());
  }

  private String stream() {
    return String.format(
        Locale.ROOT,
        "%d sequences checked, %s of %d granted, %d duplicates",
        sequences,
        range(),
        granted,
        duplicates);
  }

  private String range() {
    if (from == 0) {
      return "batches " + first + " to " + emitted;
    }
    String left = from == Long.MAX_VALUE ? "what is left" : "what is left from sequence " + from;
    return emitted < first
        ? left + ", no whole batch"
        : left + ", batches " + first + " to " + emitted;
  }

  /** The report as JSON: what was counted, and every violation. */
  public ObjectNode json() {
    ObjectNode json = new ObjectMapper().createObjectNode();
    json.put("passed", passed());
    json.put("timelines", timelines);
    json.put("sequences", sequences);
    json.put("duplicates", duplicates);
    json.put("granted", granted);
    if (from > 0) {
      json.put("reclaimedBeforeSequence", from);
    }
    json.put("firstBatch", first);
    json.put("emitted", emitted);
    json.put("mostBehind", mostBehind);
    json.put("mostAhead", mostAhead);
    json.put("streamDigest", digest);
    digests.write(json.putObject("digests"));
    violations.forEach(json.putArray("violations")::add);
    unchecked.forEach(json.putArray("unchecked")::add);
    return json;
  }
}
