package io.sluice.jobs.simulation;

import static io.sluice.jobs.simulation.Violation.unless;

import io.sluice.client.block.Sequence;
import io.sluice.client.run.TrainerRank;
import io.sluice.client.stream.GlobalBatch;
import io.sluice.jobs.mix.stream.StreamRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** What the ranks of one life of a run's trainers read the stream with, some ranks twice. */
final class Readers {
  private final World world;
  private final RunModel run;
  private final List<Rank> ranks = new ArrayList<>();

  /** A rank's reader and where it is. */
  private static final class Rank {
    final TrainerRank rank;
    final int[] places;
    SimulatedReader reader;
    long controlRead = ControlLog.START;

    Rank(RunModel run, TrainerRank rank) {
      this.rank = rank;
      this.places = new int[run.spec().getStreamPartitions()];
      this.reader = new SimulatedReader(run.id(), run.spec(), rank);
    }
  }

  Readers(World world, RunModel run, int worldSize, Random random) {
    this.world = world;
    this.run = run;
    for (int rank = 0; rank < worldSize; rank++) {
      ranks.add(new Rank(run, TrainerRank.of(rank, worldSize)));
    }
    if (random.nextInt(4) == 0) {
      int twice = random.nextInt(worldSize);
      ranks.add(new Rank(run, TrainerRank.of(twice, worldSize).withReplica(1)));
    }
    ranks.forEach(this::begin);
    ranks.forEach(this::follow);
  }

  /** Begins with the log's newest snapshot, if there is one. */
  private void begin(Rank rank) {
    world
        .conduct()
        .beginning(world.log(), run.id())
        .ifPresent(
            snapshot -> {
              rank.reader.begin(snapshot, world.log());
              rank.controlRead = snapshot.offset();
              run.witness().saw("log read from a snapshot");
            });
  }

  private void follow(Rank rank) {
    for (Long next = world.log().next(rank.controlRead);
        next != null;
        next = world.log().next(rank.controlRead)) {
      rank.controlRead = next;
      world
          .log()
          .read(next)
          .ifPresent(
              logged -> rank.reader.follow(logged.record(), logged.offset(), logged.value()));
    }
  }

  /** Reads the control log on, and fails if the run was rewound to before where this is. */
  void follow() {
    for (Rank rank : ranks) {
      follow(rank);
      requireNotRewound(rank);
    }
  }

  private void requireNotRewound(Rank rank) {
    if (world.conduct().heedsRewinds()) {
      rank.reader.requireNotRewound();
    }
  }

  /** Who reads. */
  List<TrainerRank> ranks() {
    return ranks.stream().map(reader -> reader.rank).toList();
  }

  /** Goes to where a checkpoint is. */
  void resume(String state, long batch) {
    for (Rank rank : ranks) {
      world.conduct().resume(rank.reader, state);
      for (int p = 0; p < rank.places.length; p++) {
        rank.places[p] = run.stream(p).firstOf(batch + 1);
      }
    }
  }

  /** Every rank reads up to {@code most} records of a partition; whether there were any. */
  boolean read(int partition, int most) {
    boolean any = false;
    for (Rank rank : ranks) {
      if (rank.reader.reads().contains(partition)) {
        any |= read(rank, partition, most);
      }
    }
    return any;
  }

  private boolean read(Rank rank, int partition, int most) {
    Partition records = run.stream(partition);
    // What it has not read may be gone, but nothing of that can be anything that it needs.
    int place = Math.max(rank.places[partition], records.begin());
    int end = Math.min(records.end(), most > records.end() ? records.end() : place + most);
    for (; place < end; place++) {
      StreamRecord record = records.at(place);
      rank.reader = world.conduct().read(run, rank.reader, partition, record);
    }
    boolean any = rank.places[partition] < place;
    rank.places[partition] = place;
    return any;
  }

  /** The next batch, put together from what every rank has of it; empty while one lacks it. */
  List<GlobalBatch> take() {
    if (!ranks.stream().allMatch(this::has)) {
      return List.of();
    }
    List<GlobalBatch> rows = new ArrayList<>();
    for (Rank rank : ranks) {
      GlobalBatch batch = rank.reader.take().orElseThrow();
      if (rank.rank.replica() == 0) {
        rows.add(batch);
      } else {
        requireSame(rows.get(rank.rank.rank()), batch);
      }
    }
    return rows;
  }

  private boolean has(Rank rank) {
    if (rank.reader.hasNext() && rank.reader.mustFollow()) {
      follow(rank);
      requireNotRewound(rank);
    }
    return rank.reader.hasNext() && !rank.reader.mustFollow();
  }

  private void requireSame(GlobalBatch rows, GlobalBatch again) {
    List<Sequence> first = rows.sequences();
    List<Sequence> second = again.sequences();
    boolean same = rows.batch() == again.batch() && first.size() == second.size();
    for (int i = 0; same && i < first.size(); i++) {
      same =
          first.get(i).header().equals(second.get(i).header())
              && Arrays.equals(first.get(i).encodedBlock(), second.get(i).encodedBlock());
    }
    unless(same, "%s: peers of a rank read %s and %s", run.id(), rows, again);
  }

  /** Position after the last batch. */
  String state() {
    String state = ranks.get(0).reader.state();
    for (Rank rank : ranks) {
      unless(
          rank.reader.state().equals(state),
          "%s: %s is at %s, others at %s",
          run.id(),
          rank.rank,
          rank.reader.state(),
          state);
    }
    return state;
  }

  @Override
  public String toString() {
    StringBuilder all = new StringBuilder();
    ranks.forEach(
        rank -> all.append(rank.rank).append(" waits for ").append(rank.reader.awaited()));
    return all.toString();
  }
}
