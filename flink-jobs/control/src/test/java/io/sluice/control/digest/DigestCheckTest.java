package io.sluice.control.digest;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.ReadBatches;
import io.sluice.schema.TrainerAttached;
import io.sluice.schema.TrainerProgress;
import io.sluice.schema.WireCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.apache.avro.specific.SpecificRecordBase;
import org.junit.jupiter.api.Test;

class DigestCheckTest {
  private static final int ROWS = 4;

  private final TestingRows rows = new TestingRows();
  private final List<byte[]> feedback = new ArrayList<>();
  private final List<String> differences = new ArrayList<>();
  private final TreeMap<Integer, Long> openings = new TreeMap<>(Map.of(0, 0L));
  private int readings;

  @Test
  void countsWhatAllRanksSaidWhatSomeAndWhatNobody() {
    says(0, 1, 0, 1, 2);
    says(0, 2, 0, 3, 4);
    says(1, 2, 0, 3, 4);
    says(0, 2, 0, 6, 6);
    add(progress(0, 1, 0, 7).build());
    assertThat(check(8)).isEqualTo(new DigestReport(7, 4, 1, 0, 2, 0));
    assertThat(differences).isEmpty();
  }

  @Test
  void namesWhoseWordIsNotWhatTheRowsGive() {
    add(
        TrainerAttached.newBuilder()
            .setRunId("r.1")
            .setTimeline(0)
            .setBatch(0)
            .setRank(1)
            .setWorldSize(2)
            .setHolder("h")
            .setHost("node-7")
            .setPid(4711)
            .setMetrics(List.of())
            .setTimeMillis(0)
            .build());
    says(0, 2, 0, 1, 2);
    says(1, 2, 0, 1, 1);
    say(1, 2, 0, 2, rows.digest(2, 2, 4) + 1);
    assertThat(check(2)).isEqualTo(new DigestReport(4, 1, 1, 0, 0, 0));
    assertThat(differences)
        .containsExactly(
            String.format(
                "batch 2 of timeline 0: rank 1 of 2 (node-7, pid 4711) said that its rows have the"
                    + " digest %016x, the log and the blocks give %016x",
                rows.digest(2, 2, 4) + 1, rows.digest(2, 2, 4)));
  }

  @Test
  void namesTwoWordsOfARankThatDiffer() {
    says(0, 1, 0, 1, 3);
    says(0, 1, 0, 2, 3);
    say(0, 1, 0, 3, 5L);
    assertThat(check(3).checked()).isEqualTo(3);
    assertThat(differences)
        .containsExactly(
            String.format(
                "batch 3 of timeline 0: rank 0 of 1 said that its rows have the digest %016x, and"
                    + " somebody later 0000000000000005",
                rows.digest(3, 0, ROWS)));
  }

  @Test
  void holdsWordsAgainstTheTimelineThatOwnsTheirBatches() {
    openings.put(1, 3L);
    says(0, 1, 0, 1, 5);
    says(0, 1, 1, 3, 6);
    assertThat(check(6)).isEqualTo(new DigestReport(8, 6, 0, 0, 0, 0));
    assertThat(differences).isEmpty();
  }

  @Test
  void namesWhatNobodyCanHaveRead() {
    says(0, 1, 0, 1, 5);
    say(0, 3, 0, 2, 1L);
    says(0, 1, 7, 1, 1);
    add(progress(0, 1, 0, 1).setRead(new ReadBatches(1L, List.of(1L, 2L))).build());
    feedback.add(new byte[] {1, 2, 3});
    assertThat(check(4)).isEqualTo(new DigestReport(4, 4, 0, 0, 0, 3));
    assertThat(differences)
        .containsExactly(
            "batch 2 of timeline 0: rank 0 of 3 said what it read, but so many ranks cannot share 4"
                + " sequences",
            "rank 0 of 1 said what it read of batch 5: timeline 0 has granted 1 to 4");
  }

  @Test
  void comparesNothingWithRowsThatAreGone() {
    says(0, 1, 0, 1, 4);
    rows.purged = 2;
    rows.absent = 3;
    rows.changed = 2;
    assertThat(check(4)).isEqualTo(new DigestReport(2, 2, 0, 2, 0, 0));
    assertThat(differences).isEmpty();
  }

  @Test
  void findsTheSameInLittleMemory() {
    openings.put(1, 150L);
    openings.put(2, 160L);
    for (int batch = 1; batch <= 200; batch++) {
      for (int rank = 0; rank < 2; rank++) {
        says(rank, 2, 0, batch, batch);
        says(rank, 2, 1, Math.max(1, batch - 3), batch);
      }
    }
    says(0, 1, 2, 1, 206);
    say(1, 2, 0, 170, 1L);
    say(1, 2, 2, 206, 2L);
    DigestReport whole = check(Integer.MAX_VALUE, 205);
    List<String> named = List.copyOf(differences);
    assertThat(readings).isEqualTo(1);
    assertThat(named).hasSize(3);
    differences.clear();
    assertThat(check(150, 205)).isEqualTo(whole);
    assertThat(readings).isBetween(3, 30);
    assertThat(differences).containsExactlyInAnyOrderElementsOf(named);
  }

  @Test
  void holdsNoMoreThanItIsGivenOfASingleBatch() {
    for (int rank = 0; rank < 64; rank++) {
      say(rank, 64, 0, 1, 1L);
    }
    assertThat(check(1_000, 1).refused()).isEqualTo(64 - 31);
  }

  private DigestReport check(long to) {
    return check(SaidDigests.MOST, to);
  }

  private DigestReport check(long most, long to) {
    readings = 0;
    SaidDigests said = new SaidDigests("r.1", openings, most, differences::add);
    DigestCheck check =
        new DigestCheck(
            said,
            next -> {
              readings++;
              feedback.forEach(next::take);
            },
            differences::add);
    openings.forEach(
        (timeline, after) -> {
          check.begin(timeline, after);
          for (long batch = after + 1; batch <= to; batch++) {
            long later = batch;
            check.batch(
                rows.of(batch),
                openings.tailMap(timeline + 1).values().stream().allMatch(open -> open >= later));
          }
        });
    return check.end();
  }

  /** A rank says rightly what it read of some batches. */
  private void says(int rank, int worldSize, int timeline, long first, long last) {
    int own = ROWS / worldSize;
    say(
        rank,
        worldSize,
        timeline,
        first,
        LongStream.rangeClosed(first, last)
            .map(batch -> rows.digest(batch, rank * own, (rank + 1) * own))
            .toArray());
  }

  private void say(int rank, int worldSize, int timeline, long first, long... digests) {
    long last = first + digests.length - 1;
    ReadBatches read = new ReadBatches(first, LongStream.of(digests).boxed().toList());
    add(progress(rank, worldSize, timeline, last).setRead(read).build());
  }

  private static TrainerProgress.Builder progress(
      int rank, int worldSize, int timeline, long batch) {
    return TrainerProgress.newBuilder()
        .setRunId("r.1")
        .setTimeline(timeline)
        .setRank(rank)
        .setWorldSize(worldSize)
        .setBatch(batch)
        .setTrainerStep(batch)
        .setTimeMillis(0);
  }

  private void add(SpecificRecordBase record) {
    feedback.add(WireCodec.encode(record));
  }

  /** Batches of four rows each, the row of index {@code g} block {@code g} of a lane. */
  private static final class TestingRows implements RowHashes {
    /** Batches whose rows were deleted, are not there, and are others than they were. */
    private long purged;

    private long absent;
    private long changed;

    BatchRows of(long batch) {
      BatchRows rows = new BatchRows(batch, ROWS * batch, ROWS);
      for (int i = 0; i < ROWS; i++) {
        rows.add(this, "a", 0, ROWS * batch + i);
      }
      return rows;
    }

    long digest(long batch, int from, int to) {
      return of(batch).digest(from, to);
    }

    @Override
    public boolean isNamed(String domain, int lane, long block) {
      return true;
    }

    @Override
    public boolean has(String domain, int lane, long block) {
      return block / ROWS != absent;
    }

    @Override
    public long hash(String domain, int lane, long block) {
      return block * 31 + (block / ROWS == changed ? 1 : 0);
    }

    @Override
    public boolean isPurged(String domain, int lane, long block) {
      return block / ROWS == purged;
    }
  }
}
