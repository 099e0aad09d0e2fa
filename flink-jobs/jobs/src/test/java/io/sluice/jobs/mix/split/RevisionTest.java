package io.sluice.jobs.mix.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.jobs.mix.source.SimulatedSplit;
import io.sluice.jobs.mix.source.TestingRun;
import io.sluice.jobs.mix.stream.StreamRecord;
import io.sluice.mixture.log.ControlEntry.Revised;
import io.sluice.mixture.log.RunPhase;
import io.sluice.mixture.log.Snapshot;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.ChainHash;
import io.sluice.schema.StreamHeader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class RevisionTest {
  private static final Weights TWO = Weights.ofShares(0.7, 0.3);
  private static final Weights THREE = Weights.ofShares(0.2, 0.3, 0.5);

  /** Logs with revisions, each with what its stream comes to. */
  private enum Revisions {
    REWIND {
      @Override
      TestingRun log() {
        return started().grant(TWO, 6, 8).rewind(3, 3).grant(TWO, 4, 5);
      }
    },
    REWIND_TO_THE_START {
      @Override
      TestingRun log() {
        return started().grant(TWO, 6, 8).rewind(0, 0).grant(TWO, 4, 5);
      }
    },
    REWIND_WITH_SKIP {
      @Override
      TestingRun log() {
        return started().grant(TWO, 3, 8).grant(TWO, 4, 8).rewind(2, 6).grant(TWO, 4, 8);
      }
    },
    REWIND_TWICE {
      @Override
      TestingRun log() {
        return started()
            .grant(TWO, 6, 8)
            .rewind(4, 4)
            .grant(TWO, 4, 5)
            .rewind(2, 7)
            .grant(TWO, 5, 8);
      }
    },
    REWIND_WITHIN_THE_NEW_TIMELINE {
      @Override
      TestingRun log() {
        return started()
            .grant(TWO, 6, 8)
            .rewind(3, 3)
            .grant(TWO, 4, 5)
            .rewind(5, 5)
            .grant(TWO, 5, 8);
      }
    },
    ADDED_DOMAIN {
      @Override
      TestingRun log() {
        return started().grant(TWO, 3, 8).addDomain("new").grant(THREE, 5, 8);
      }
    },
    OTHER_WEIGHTS {
      @Override
      TestingRun log() {
        return started().grant(TWO, 3, 8).reweigh().grant(Weights.uniform(2), 3, 8);
      }
    },
    FORK {
      @Override
      TestingRun log() {
        TestingRun origin = started().grant(TWO, 6, 7);
        return new TestingRun("f", TestingRun.names(2), 50, origin.end(4)).grant(TWO, 5, 8);
      }
    },
    REWIND_TO_BEFORE_A_DOMAIN_WAS_ADDED {
      @Override
      TestingRun log() {
        return started()
            .grant(TWO, 3, 8)
            .addDomain("new")
            .grant(THREE, 5, 8)
            .rewind(2, 2)
            .grant(TWO, 4, 8);
      }
    },
    ADDED_DOMAIN_AFTER_REWIND {
      @Override
      TestingRun log() {
        return started()
            .grant(TWO, 5, 8)
            .rewind(3, 5)
            .addDomain("new")
            .grant(THREE, 3, 8)
            .reweigh()
            .phase(RunPhase.PAUSED)
            .phase(RunPhase.RUNNING)
            .rewind(4, 4)
            .grant(THREE, 3, 8);
      }
    };

    abstract TestingRun log();

    private static TestingRun started() {
      return new TestingRun("r", 2);
    }
  }

  /** Three domains of which the first two have ended, and are read more than once. */
  private static final class Ended implements SimulatedSplit.Blocks {
    private static final long[] SIZES = {10, 70, 1_000};

    @Override
    public long size(int domain) {
      return SIZES[domain];
    }

    @Override
    public boolean ended(int domain) {
      return true;
    }

    @Override
    public byte[] block(int domain, long stored) {
      return TestingRun.block(domain, stored);
    }
  }

  private record Seen(StreamHeader header, String value) {
    static Seen of(StreamRecord record) {
      return new Seen(StreamHeader.decode(record.header()), TestingRun.text(record.value()));
    }
  }

  private static void applyAll(SimulatedSplit split, TestingRun run) {
    run.log().forEach(e -> split.apply(e.entry(), e.offset()));
  }

  /** Emits until nothing is left, or so many. */
  private static List<Seen> drain(SimulatedSplit split, int most) {
    List<Seen> seen = new ArrayList<>();
    for (int idle = 0; idle < 20 && seen.size() < most; idle++) {
      split.fetch(new Ended(), 1_000);
      for (StreamRecord r = split.next(); r != null; r = split.next()) {
        seen.add(Seen.of(r));
        idle = 0;
        if (seen.size() == most) {
          break;
        }
      }
    }
    return seen;
  }

  private static List<Seen> all(TestingRun run) {
    SimulatedSplit split = new SimulatedSplit(run.split());
    applyAll(split, run);
    return drain(split, Integer.MAX_VALUE);
  }

  private static String batches(List<Seen> seen) {
    StringBuilder text = new StringBuilder();
    String last = "";
    for (Seen one : seen) {
      String batch = one.header().timeline() + "." + one.header().batch();
      if (!batch.equals(last)) {
        text.append(text.isEmpty() ? "" : " ").append(batch);
      }
      last = batch;
    }
    return text.toString();
  }

  @Test
  void finishesWhatStandsAndGoesOnInTheNextTimeline() {
    assertThat(batches(all(Revisions.REWIND.log()))).isEqualTo("0.1 0.2 0.3 1.4 1.5 1.6 1.7");
    assertThat(batches(all(Revisions.REWIND_TO_THE_START.log()))).isEqualTo("1.1 1.2 1.3 1.4");
    assertThat(batches(all(Revisions.REWIND_TWICE.log())))
        .isEqualTo("0.1 0.2 0.3 0.4 2.3 2.4 2.5 2.6 2.7");
    assertThat(batches(all(Revisions.REWIND_WITHIN_THE_NEW_TIMELINE.log())))
        .isEqualTo("0.1 0.2 0.3 1.4 1.5 2.6 2.7 2.8 2.9 2.10");
  }

  @Test
  void leavesABatchInTheMiddleWhenItNoLongerStands() {
    TestingRun run = new TestingRun("r", 2).grant(TWO, 6, 8);
    SimulatedSplit split = new SimulatedSplit(run.split());
    applyAll(split, run);
    List<Seen> seen = drain(split, 30);
    applyAll(split, run.rewind(2, 2).grant(TWO, 1, 8));
    seen.addAll(drain(split, Integer.MAX_VALUE));

    assertThat(batches(seen)).isEqualTo("0.1 0.2 0.3 0.4 1.3");
    assertThat(seen).hasSize(38);
    assertThat(seen.get(30).header().index()).isEqualTo(16);
  }

  @Test
  void aSkipPassesOverTheDataOfTheBatches() {
    TestingRun run = new TestingRun("r", 2).grant(TWO, 7, 8);
    long[] after = run.end(6).ordinals();
    SimulatedSplit split = new SimulatedSplit(run.rewind(2, 6).grant(TWO, 4, 8).split());
    applyAll(split, run);
    List<Seen> opened =
        drain(split, Integer.MAX_VALUE).stream().filter(s -> s.header().timeline() == 1).toList();
    assertThat(opened.get(0).header().index()).isEqualTo(16);
    assertThat(opened)
        .filteredOn(s -> s.value().startsWith("block 0:"))
        .first()
        .extracting(s -> s.header().ordinal())
        .isEqualTo(after[0]);
  }

  @ParameterizedTest
  @EnumSource(Revisions.class)
  void indicesAndOrdinalsGoOnAndEachTimelineHasItsOwnChain(Revisions revisions) {
    TestingRun run = revisions.log();
    Map<Integer, Long> chains = new HashMap<>();
    int timeline = -1;
    long expected = -1;
    for (Seen seen : all(run)) {
      StreamHeader header = seen.header();
      if (header.timeline() != timeline) {
        timeline = header.timeline();
        chains.clear();
        expected = header.index();
      }
      String[] block = seen.value().substring("block ".length()).split(":", -1);
      int domain = Integer.parseInt(block[0]);
      String name = domain == 2 ? "new" : "d" + domain;
      int partition = (int) (header.index() % TestingRun.PARTITIONS);
      long chain =
          ChainHash.next(
              chains.getOrDefault(partition, run.layout().chainStart()),
              header.index(),
              ChainHash.domain(0xFEEDL, name),
              0,
              Long.parseLong(block[1]));
      chains.put(partition, chain);
      assertThat(header.chain()).isEqualTo(chain);
      assertThat(header.index()).isEqualTo(expected++);
    }
    assertThat(expected).isEqualTo(run.end(run.position().granted()).nextSequence());
  }

  @ParameterizedTest
  @EnumSource(Revisions.class)
  void restoredAtAnySequenceEqualsNeverStopped(Revisions revisions) {
    TestingRun run = revisions.log();
    List<Seen> all = all(run);
    for (int emitted = 0; emitted <= all.size(); emitted++) {
      SimulatedSplit first = new SimulatedSplit(run.split());
      applyAll(first, run);
      List<Seen> seen = drain(first, emitted);
      SimulatedSplit second = SimulatedSplit.restore(first.kept());
      applyAll(second, run);
      seen.addAll(drain(second, Integer.MAX_VALUE));
      assertThat(seen).as("stopped after %s", emitted).isEqualTo(all);
    }
  }

  @ParameterizedTest
  @EnumSource(Revisions.class)
  void whenARevisionIsReadChangesOnlyWhatNoLongerStands(Revisions revisions) {
    TestingRun run = revisions.log();
    List<Seen> all = all(run);
    for (int seed = 0; seed < 50; seed++) {
      Random coin = new Random(seed);
      SimulatedSplit split = new SimulatedSplit(run.split());
      List<Seen> seen = new ArrayList<>();
      int read = 0;
      while (read < run.log().size()) {
        TestingRun.Entry e = run.log().get(read++);
        split.apply(e.entry(), e.offset());
        seen.addAll(drain(split, coin.nextInt(60)));
        if (coin.nextInt(3) == 0) {
          split = SimulatedSplit.restore(split.kept());
          read = 0;
        }
        if (seen.size() > 20 * all.size()) {
          break;
        }
      }
      seen.addAll(drain(split, Integer.MAX_VALUE));
      assertThat(seen).as("seed %s", seed).containsAll(all);
      assertThat(accepted(seen)).as("seed %s", seed).isEqualTo(accepted(all));
    }
  }

  /** What a client of the last timeline takes, which starts with the batch that opened it. */
  private static List<Seen> accepted(List<Seen> seen) {
    int last = seen.get(seen.size() - 1).header().timeline();
    List<Seen> accepted = new ArrayList<>();
    for (Seen one : seen) {
      long expected =
          accepted.isEmpty()
              ? one.header().index()
              : accepted.get(accepted.size() - 1).header().index() + 1;
      if (one.header().timeline() == last && one.header().index() == expected) {
        accepted.add(one);
      }
    }
    return accepted;
  }

  @Test
  void lanesTogetherEmitEverySequenceOnceAlsoWhenRestored() {
    TestingRun run =
        TestingRun.ofLanes("r", 2, 3)
            .grant(TWO, 4, 8)
            .grant(TWO, 3, 2)
            .rewind(3, 5)
            .grant(TWO, 6, 9)
            .addDomain("new")
            .grant(THREE, 5, 12);
    List<Seen> all = ofLanes(run);
    assertThat(all)
        .extracting(s -> s.header().timeline() + "." + s.header().index())
        .doesNotHaveDuplicates()
        .hasSize(3 * 8 + 6 * 9 + 5 * 12);
    assertThat(all)
        .filteredOn(s -> s.header().batch() == 9)
        .allMatch(s -> s.header().batchSize() == 9)
        .hasSize(9);
  }

  @Test
  void lanesThatHaveNoSeatAfterARevisionFollowItToo() {
    TestingRun run =
        TestingRun.ofLanes("r", 2, 3)
            .grant(TWO, 2, 2)
            .reweigh()
            .grant(TWO, 4, 1)
            .reweigh()
            .grant(TWO, 2, 6);
    assertThat(ofLanes(run))
        .extracting(s -> s.header().index())
        .containsExactlyInAnyOrderElementsOf(LongStream.range(0, 20).boxed().toList());
  }

  /** What all lanes emit, each the same also when it is restored. */
  private static List<Seen> ofLanes(TestingRun run) {
    List<Seen> all = new ArrayList<>();
    for (MixSplit lane : run.splits()) {
      SimulatedSplit split = new SimulatedSplit(lane);
      applyAll(split, run);
      List<Seen> ofLane = drain(split, Integer.MAX_VALUE);
      assertThat(ofLane).allMatch(s -> s.header().index() % 3 == lane.lane());
      for (int emitted = 0; emitted < ofLane.size(); emitted += 3) {
        SimulatedSplit first = new SimulatedSplit(lane);
        applyAll(first, run);
        List<Seen> again = drain(first, emitted);
        SimulatedSplit second = SimulatedSplit.restore(first.kept());
        applyAll(second, run);
        again.addAll(drain(second, Integer.MAX_VALUE));
        assertThat(again).as("lane %s, stopped after %s", lane.lane(), emitted).isEqualTo(ofLane);
      }
      all.addAll(ofLane);
    }
    return all;
  }

  @Test
  void aRunIsDroppedAtOnceWhenItIsDeletedWhileARevisionWaits() {
    TestingRun run = new TestingRun("r", 2).grant(TWO, 3, 8).rewind(2, 2).phase(RunPhase.DELETED);
    SimulatedSplit split = new SimulatedSplit(run.split());
    applyAll(split, run);
    assertThat(split.isFinished()).isTrue();
  }

  @Test
  void breaksOnARevisionThatDoesNotGoOn() {
    TestingRun run = new TestingRun("r", 2).grant(TWO, 3, 8);
    Snapshot wrong = TestingRun.snapshot(3, 24, run.end(3).planError(), new long[] {16, 8});
    run.revise(0, new Revised("c", run.settings(), wrong, 3));
    assertThatThrownBy(() -> all(run))
        .isInstanceOf(BrokenRunException.class)
        .hasMessage(
            "entry 2 revises the run from index 24 and ordinals [16, 8] on, its stream is at"
                + " index 24 and ordinals [17, 7]");
  }

  @Test
  void breaksWhenDomainsAreTakenAway() {
    TestingRun run = new TestingRun("r", 2).grant(TWO, 3, 8);
    TestingRun other = new TestingRun("r", 1);
    Snapshot less = TestingRun.snapshot(3, 24, new long[1], new long[1]);
    run.revise(0, new Revised("c", other.settings(), less, 3));
    assertThatThrownBy(() -> all(run))
        .isInstanceOf(BrokenRunException.class)
        .hasMessage(
            "entry 2 revises the domains [d0, d1] to [d0]: domains can only be added at the end");
  }
}
