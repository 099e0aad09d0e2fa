package io.sluice.client.run;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Position of a trainer in a run's stream: what its checkpoint keeps.
 *
 * @param runId of the run
 * @param timeline 0 until a rewind
 * @param batch last batch that was handed out; 0 at the start
 * @param firstIndex global index of the first sequence of the next batch
 */
public record StreamState(String runId, int timeline, long batch, long firstIndex) {
  private static final Pattern RUN_ID = Pattern.compile("[A-Za-z0-9._-]+");
  private static final Pattern JSON =
      Pattern.compile(
          "\\s*\\{\\s*\"version\"\\s*:\\s*(\\d{1,9})\\s*,\\s*\"runId\"\\s*:\\s*\"([A-Za-z0-9._-]+)\"\\s*,"
              + "\\s*\"timeline\"\\s*:\\s*(\\d{1,9})\\s*,\\s*\"batch\"\\s*:\\s*(\\d{1,18})\\s*,"
              + "\\s*\"firstIndex\"\\s*:\\s*(\\d{1,18})\\s*\\}\\s*");

  /** Checks the ranges. */
  public StreamState {
    if (!RUN_ID.matcher(runId).matches()) {
      throw new IllegalArgumentException(
          "runId must be letters, digits, '.', '_' or '-': '" + runId + "'");
    }
    if (timeline < 0 || batch < 0 || firstIndex < 0) {
      throw new IllegalArgumentException(
          "timeline, batch and firstIndex must not be negative: "
              + timeline
              + ", "
              + batch
              + ", "
              + firstIndex);
    }
  }

  /** Before the first batch of a run. */
  public static StreamState start(String runId) {
    return new StreamState(runId, 0, 0, 0);
  }

  /** {@code {"version":1,"runId":"r-1","timeline":0,"batch":30,"firstIndex":960}}. */
  public String toJson() {
    return "{\"version\":1,\"runId\":\""
        + runId
        + "\",\"timeline\":"
        + timeline
        + ",\"batch\":"
        + batch
        + ",\"firstIndex\":"
        + firstIndex
        + "}";
  }

  /**
   * Reads what {@link #toJson} wrote; white space may differ, the order of the keys may not.
   *
   * @throws IllegalArgumentException if the text is anything else
   */
  public static StreamState parse(String json) {
    Matcher match = JSON.matcher(json);
    if (!match.matches()) {
      throw new IllegalArgumentException(
          "stream state must look like " + start("run").toJson() + ": '" + json + "'");
    }
    if (Integer.parseInt(match.group(1)) != 1) {
      throw new IllegalArgumentException("stream state must be version 1: " + match.group(1));
    }
    return new StreamState(
        match.group(2),
        Integer.parseInt(match.group(3)),
        Long.parseLong(match.group(4)),
        Long.parseLong(match.group(5)));
  }
}
