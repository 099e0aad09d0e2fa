package io.sluice.cli.audit;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
 * @param emitted last batch of the current lineage of which every sequence is in the stream
 * @param violations one sentence each; empty when everything holds
 * @param mostBehind largest Σ w·G − sequences of any domain after any batch, in sequences
 * @param mostAhead smallest Σ w·G − sequences of any domain after any batch, in sequences
 * @param composition sequences of each domain in each emitted batch
 * @param digest SHA-256 over headers, timestamps and values of the accepted sequences
 */
public record AuditReport(
    String runId,
    int timelines,
    long sequences,
    long duplicates,
    long granted,
    long emitted,
    List<String> violations,
    double mostBehind,
    double mostAhead,
    SortedMap<Long, Map<String, Integer>> composition,
    String digest) {

  /** Whether every invariant that was checked holds. */
  public boolean passed() {
    return violations.isEmpty();
  }

  /** The report in one line. */
  public String summary() {
    return String.format(
        Locale.ROOT,
        "audit of %s %s: %d sequences checked, batches 1 to %d of %d granted, %d duplicates, plan"
            + " error in [%.3f, %.3f] sequences",
        runId,
        passed() ? "passed" : "FAILED",
        sequences,
        emitted,
        granted,
        duplicates,
        mostAhead,
        mostBehind);
  }

  /** The report as JSON: what was counted, and every violation. */
  public ObjectNode json() {
    ObjectNode json = new ObjectMapper().createObjectNode();
    json.put("passed", passed());
    json.put("timelines", timelines);
    json.put("sequences", sequences);
    json.put("duplicates", duplicates);
    json.put("granted", granted);
    json.put("emitted", emitted);
    json.put("mostBehind", mostBehind);
    json.put("mostAhead", mostAhead);
    json.put("streamDigest", digest);
    violations.forEach(json.putArray("violations")::add);
    return json;
  }
}
