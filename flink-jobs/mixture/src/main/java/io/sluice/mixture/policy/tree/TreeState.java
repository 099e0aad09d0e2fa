package io.sluice.mixture.policy.tree;

import io.sluice.mixture.policy.StateReader;
import io.sluice.mixture.policy.StateWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * What a tree remembers; the states of its groups' policies are nested in it.
 *
 * @param stage that the last decision was in, from 0
 * @param begin last batch before that stage
 * @param reports that were decided on
 * @param means of the held-out losses in this stage, as far as its condition needs them
 * @param shares weights of the domains within each group
 * @param nested state of each group's policy
 */
record TreeState(
    int stage,
    long begin,
    long reports,
    double[] means,
    List<double[]> shares,
    List<byte[]> nested) {
  private static final int VERSION = 1;

  static TreeState decode(byte[] bytes, int groups) {
    StateReader reader = StateReader.ofVersion(TreePolicy.NAME, VERSION, bytes);
    int stage = (int) reader.number();
    long begin = reader.number();
    long reports = reader.number();
    double[] means = reader.array();
    List<double[]> shares = new ArrayList<>();
    List<byte[]> nested = new ArrayList<>();
    for (int group = 0; group < groups; group++) {
      shares.add(reader.array());
      nested.add(reader.state());
    }
    return new TreeState(stage, begin, reports, means, shares, nested);
  }

  byte[] encode() {
    StateWriter writer =
        StateWriter.ofVersion(VERSION).put((long) stage).put(begin).put(reports).put(means);
    for (int group = 0; group < shares.size(); group++) {
      writer.put(shares.get(group)).put(nested.get(group));
    }
    return writer.bytes();
  }
}
