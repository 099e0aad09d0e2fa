package io.sluice.control.digest;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * How much of what a run was trained on its ranks have said, and is so.
 *
 * @param digests that were held against rows, of all timelines
 * @param checked batches of the run's lineage all rows of which are in digests that are right
 * @param partly batches of which that holds for some rows
 * @param changed batches that are no more what they were, or not there, so that what is said of
 *     them cannot be compared
 * @param silent batches that somebody has trained on and nobody said a digest of
 * @param refused reports that say what nobody can have read
 */
public record DigestReport(
    long digests, long checked, long partly, long changed, long silent, long refused) {
  /** In words. */
  public String summary() {
    StringBuilder words = new StringBuilder();
    words.append("digests of ").append(checked).append(" batches checked");
    append(words, partly, "only some ranks");
    words.append(", of ").append(silent).append(" nobody said");
    if (changed > 0) {
      words.append(", ").append(changed).append(" are not there any more as they were");
    }
    if (refused > 0) {
      words.append(", ").append(refused).append(" reports refused");
    }
    return words.toString();
  }

  private static void append(StringBuilder words, long batches, String who) {
    if (batches > 0) {
      words.append(", of ").append(batches).append(' ').append(who);
    }
  }

  /** As JSON. */
  public void write(ObjectNode json) {
    json.put("digests", digests);
    json.put("checked", checked);
    json.put("partly", partly);
    json.put("changed", changed);
    json.put("silent", silent);
    json.put("refused", refused);
  }
}
