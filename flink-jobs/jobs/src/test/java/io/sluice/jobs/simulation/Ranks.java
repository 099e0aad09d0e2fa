package io.sluice.jobs.simulation;

import io.sluice.client.feedback.LastWords;
import io.sluice.client.run.TrainerRank;
import io.sluice.schema.DomainMeasure;
import io.sluice.schema.RunSpec;
import io.sluice.schema.TrainerAttached;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.TrainerProgress;
import io.sluice.schema.WireCodec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.specific.SpecificRecordBase;

/** What the ranks of one life of a run's trainers have to say, each in its own order. */
final class Ranks {
  private final RunModel run;
  private final Random random;
  private final String life;
  private final List<ArrayDeque<SpecificRecordBase>> outboxes = new ArrayList<>();
  private final List<Set<String>> measured = new ArrayList<>();
  private final List<LastWords> words = new ArrayList<>();

  private Ranks(RunModel run, Random random, String life) {
    this.run = run;
    this.random = random;
    this.life = life;
  }

  /** Nobody. */
  static Ranks unheard(RunModel run, Random random) {
    return new Ranks(run, random, "");
  }

  /** The ranks of a new life, which first say who they are and what they measure. */
  static Ranks attached(
      RunModel run, Random random, List<TrainerRank> places, String life, Trainer.Trained from) {
    Ranks ranks = new Ranks(run, random, life);
    for (TrainerRank place : places) {
      if (place.replica() == 0) {
        ranks.outboxes.add(new ArrayDeque<>());
        ranks.measured.add(ranks.declared());
        ranks.words.add(new LastWords());
      }
      ranks.outboxes.get(place.rank()).add(ranks.attached(place, from));
    }
    return ranks;
  }

  /** What a rank measures: all that is asked for, unless the run can go on without. */
  private Set<String> declared() {
    Set<String> metrics = new TreeSet<>(run.scenario().metrics());
    if (run.goesOnWithoutFeedback() && random.nextInt(8) == 0) {
      metrics.removeIf(metric -> random.nextBoolean());
    }
    return metrics;
  }

  private TrainerAttached attached(TrainerRank place, Trainer.Trained from) {
    return TrainerAttached.newBuilder()
        .setRunId(run.id())
        .setTimeline(from.timeline())
        .setBatch(from.batch())
        .setWorldSize(place.worldSize())
        .setRank(place.rank())
        .setReplica(place.replica())
        .setHolder(life + "-" + place.rank() + "-" + place.replica())
        .setHost("host")
        .setPid(random.nextInt(1_000))
        .setMetrics(List.copyOf(measured.get(place.rank())))
        .setTimeMillis(0)
        .build();
  }

  /** Every rank measures its part, some of them badly. */
  void evaluate(int timeline, long step) {
    String attempt = life + "-" + step;
    for (int rank = 0; rank < outboxes.size(); rank++) {
      List<TrainerFeedback> reports = new ArrayList<>();
      for (String metric : measured.get(rank)) {
        double level = 4 - step * 0.02;
        TrainerFeedback measurement = report(attempt, timeline, step, rank, metric, level);
        reports.add(measurement);
        keep(rank, measurement, openTo(step));
        if (random.nextInt(4) == 0) {
          reports.add(report(attempt, timeline, step, rank, metric, 9));
        }
        if (random.nextInt(6) == 0) {
          reports.add(spoil(report(attempt + "-bad", timeline, step, rank, metric, 3)));
        }
        if (random.nextInt(6) == 0) {
          // What another attempt has left that died on the way.
          reports.add(report(attempt + "-dead", timeline, step, rank, metric, 2));
        }
      }
      if (random.nextInt(4) == 0) {
        Collections.shuffle(reports, random);
      }
      if (random.nextInt(4) == 0) {
        reports.addAll(List.copyOf(reports.subList(0, random.nextInt(reports.size() + 1))));
      }
      outboxes.get(rank).addAll(reports);
    }
  }

  private long openTo(long step) {
    RunSpec spec = run.spec();
    return step + spec.getLag() + 2 * run.scenario().every();
  }

  private void keep(int rank, SpecificRecordBase message, long openTo) {
    words.get(rank).said(message, WireCodec.encode(message), openTo);
  }

  private TrainerFeedback report(
      String attempt, int timeline, long step, int rank, String metric, double level) {
    List<DomainMeasure> entries = new ArrayList<>();
    for (String domain : run.control().now().settings().domains()) {
      long count = random.nextInt(5) == 0 ? 0 : 100;
      double mean = level * (0.5 + random.nextDouble());
      entries.add(new DomainMeasure(domain, mean * count, count));
    }
    return TrainerFeedback.newBuilder()
        .setRunId(run.id())
        .setTimeline(timeline)
        .setStep(step)
        .setTrainerStep(step)
        .setAttempt(attempt)
        .setWorldSize(outboxes.size())
        .setRank(rank)
        .setMetric(metric)
        .setEntries(entries)
        .setTimeMillis(0)
        .build();
  }

  private TrainerFeedback spoil(TrainerFeedback report) {
    DomainMeasure first = report.getEntries().get(0);
    switch (random.nextInt(7)) {
      case 0 -> first.setSum(Double.NaN);
      case 1 -> first.setDomain("unheard-of");
      case 2 -> report.setTimeline(report.getTimeline() + 50);
      case 3 -> first.setCount(-1L);
      case 4 -> report.setRank(report.getWorldSize());
      case 5 -> report.getEntries().add(first);
      default -> report.setMetric("mood");
    }
    return report;
  }

  /** Every rank says how far it is. */
  void progress(int timeline, long batch, long oldestCheckpoint) {
    for (int rank = 0; rank < outboxes.size(); rank++) {
      TrainerProgress progress = progressOf(timeline, batch, rank, oldestCheckpoint);
      outboxes.get(rank).add(progress);
      keep(rank, progress, 0);
      if (random.nextInt(20) == 0) {
        long wrong = batch + random.nextInt(30);
        outboxes.get(rank).add(progressOf(timeline + 50, wrong, rank, -1));
      }
    }
  }

  private TrainerProgress progressOf(int timeline, long batch, int rank, long oldestCheckpoint) {
    return TrainerProgress.newBuilder()
        .setRunId(run.id())
        .setTimeline(timeline)
        .setBatch(batch)
        .setTrainerStep(batch)
        .setWorldSize(outboxes.size())
        .setRank(rank)
        .setOldestCheckpoint(oldestCheckpoint)
        .setTimeMillis(0)
        .build();
  }

  /** Sends some rank's next message, or sends it without being told so; false if none has one. */
  boolean send(boolean acknowledged) {
    List<ArrayDeque<SpecificRecordBase>> waiting =
        outboxes.stream().filter(outbox -> !outbox.isEmpty()).toList();
    if (waiting.isEmpty()) {
      return false;
    }
    ArrayDeque<SpecificRecordBase> outbox = waiting.get(random.nextInt(waiting.size()));
    run.report(outbox.element());
    if (acknowledged) {
      outbox.remove();
    }
    return true;
  }

  /** Loses much of what there is to say, after the ranks are told that it has arrived. */
  void lose() {
    for (ArrayDeque<SpecificRecordBase> outbox : outboxes) {
      boolean any =
          outbox.removeIf(
              message -> !(message instanceof TrainerAttached) && random.nextInt(4) != 0);
      if (any) {
        run.witness().saw("feedback lost");
      }
    }
  }

  /** Every rank says again what it said last, and what this process did in the lives before. */
  void repeat() {
    Lineage lineage = run.control().lineage();
    for (int rank = 0; rank < words.size(); rank++) {
      ArrayDeque<SpecificRecordBase> outbox = outboxes.get(rank % outboxes.size());
      for (byte[] value : words.get(rank).standing(lineage::owner, lineage.current())) {
        outbox.add(WireCodec.decode(value));
        run.witness().saw("feedback said again");
      }
    }
  }

  /** These ranks are of the same processes as those before a rewind, and know what they said. */
  void remember(Ranks before) {
    words.addAll(before.words);
  }

  /** Whether all that there is to say is said. */
  boolean haveSaidAll() {
    return outboxes.stream().allMatch(ArrayDeque::isEmpty);
  }

  @Override
  public String toString() {
    return outboxes.stream().mapToInt(ArrayDeque::size).sum()
        + " messages of "
        + outboxes.size()
        + " ranks to send";
  }
}
