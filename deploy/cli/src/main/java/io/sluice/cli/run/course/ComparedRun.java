package io.sluice.cli.run.course;

import io.sluice.control.history.RunHistory;
import io.sluice.control.targets.LossHistory;
import io.sluice.control.targets.RunLosses;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunSpec;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One of two runs.
 *
 * @param tokens that it was granted, by domain
 */
record ComparedRun(RunSpec spec, RunCourse course, Map<String, Long> tokens) {
  static ComparedRun read(KafkaAccess access, String run) {
    RunHistory history = RunHistory.read(access, run);
    RunCourse course = RunCourse.of(history, RunLosses.read(access, run));
    long[] sequences = history.sequences();
    Map<String, Long> tokens = new LinkedHashMap<>();
    for (int i = 0; i < sequences.length; i++) {
      tokens.put(course.domains().get(i), sequences[i] * history.spec().getSequenceLength());
    }
    return new ComparedRun(history.spec(), course, tokens);
  }

  String name() {
    return course.run();
  }

  SortedMap<Long, LossHistory.Round> rounds() {
    return course.losses().rounds();
  }

  /** Loss of a domain that was measured at a step; NaN if it was not. */
  double loss(long step, String domain) {
    LossHistory.Round round = rounds().get(step);
    int place = course.losses().domains().indexOf(domain);
    return round == null || place < 0 ? Double.NaN : round.losses()[place];
  }

  /** Weight of a domain in a batch; 0 before it was added. */
  double weight(long batch, String domain) {
    int place = course.domains().indexOf(domain);
    return place < 0 || place >= course.at(batch).size() ? 0 : course.at(batch).share(place);
  }

  /** How many held-out tokens each domain's loss was last a mean of. */
  Map<String, Long> heldOut() {
    Map<String, Long> heldOut = new TreeMap<>();
    for (LossHistory.Round round : rounds().values()) {
      for (int i = 0; i < round.counts().length; i++) {
        if (round.counts()[i] > 0) {
          heldOut.put(course.losses().domains().get(i), round.counts()[i]);
        }
      }
    }
    return heldOut;
  }
}
