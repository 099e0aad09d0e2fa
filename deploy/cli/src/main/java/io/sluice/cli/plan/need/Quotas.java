package io.sluice.cli.plan.need;

import io.sluice.schema.BatchSize;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.run.Delivery;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * How many bytes users of Kafka read and write in a second while runs are trained on at a rate, and
 * what quotas leave them room.
 *
 * @param rate tokens that each run's trainers take in a second
 * @param ranks of each run's trainers
 */
public record Quotas(long rate, int ranks) {
  /** Quotas are so many times what is needed, for who catches up. */
  static final int ROOM = 2;

  /**
   * What a user may write and read in a second; empty where nothing follows.
   *
   * @param producer {@code producer_byte_rate}
   * @param consumer {@code consumer_byte_rate}
   */
  public record Quota(OptionalLong producer, OptionalLong consumer) {
    public static final Quota NONE = new Quota(OptionalLong.empty(), OptionalLong.empty());

    private static Quota of(double producer, double consumer) {
      return new Quota(room(producer), room(consumer));
    }

    private static OptionalLong room(double bytes) {
      return bytes == 0
          ? OptionalLong.empty()
          : OptionalLong.of((long) Math.min(Long.MAX_VALUE, Math.ceil(ROOM * bytes)));
    }

    /** Whether nothing follows. */
    public boolean isEmpty() {
      return producer.isEmpty() && consumer.isEmpty();
    }
  }

  /** The trainers of a run, which read its stream; their feedback is little. */
  public Quota trainer(PlannedRun run, DatasetSpec dataset) {
    return Delivery.isDerived(run.spec())
        ? Quota.NONE
        : Quota.of(0, timesRead(run) * sequences(dataset) * RecordBytes.of(dataset).streamed());
  }

  /** The jobs, which keep pace with all runs: they read corpora and blocks, and write the rest. */
  public Quota jobs(List<PlannedRun> runs, Map<String, DatasetSpec> datasets) {
    double written = 0;
    double read = 0;
    for (PlannedRun run : runs) {
      if (!Delivery.isDerived(run.spec())) {
        DatasetSpec dataset = Objects.requireNonNull(datasets.get(run.spec().getDataset()));
        written += sequences(dataset) * RecordBytes.of(dataset).streamed();
        read += sequences(dataset) * RecordBytes.of(dataset).block();
      }
    }
    for (String name :
        runs.stream().map(run -> run.spec().getDataset()).collect(Collectors.toSet())) {
      DatasetSpec dataset = Objects.requireNonNull(datasets.get(name));
      RecordBytes record = RecordBytes.of(dataset);
      written += sequences(dataset) * (record.block() + record.lineage());
      read += rate * (double) ByteEstimates.textBytes(dataset);
    }
    return Quota.of(written, read);
  }

  /** Who ingests a domain, as fast as it is trained on by the first weights. */
  public Quota producer(String domain, Map<DatasetSpec, Demand> demands, List<PlannedRun> runs) {
    Map<String, Double> shares = new HashMap<>();
    demands.forEach(
        (dataset, demand) -> {
          boolean trained =
              runs.stream().anyMatch(run -> run.spec().getDataset().equals(dataset.getName()));
          if (trained) {
            shares.put(
                dataset.getName(),
                demand.shares().getOrDefault(domain, 0.0) * ByteEstimates.textBytes(dataset));
          }
        });
    double most = shares.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
    return Quota.of(rate * most, 0);
  }

  private double sequences(DatasetSpec dataset) {
    return rate / (double) dataset.getSequenceLength();
  }

  /**
   * How often all ranks together read the stream: each reads whole partitions, those in which it
   * has sequences.
   */
  private double timesRead(PlannedRun run) {
    int partitions = run.spec().getStreamPartitions();
    int batch =
        run.spec().getBatchSizes().stream().mapToInt(BatchSize::getSequences).max().orElse(ranks);
    int cycle = BigInteger.valueOf(batch).gcd(BigInteger.valueOf(partitions)).intValueExact();
    long rows = Math.max(1, Counts.parts(batch, ranks));
    return (double) ranks * (partitions / cycle * Math.min(rows, cycle)) / partitions;
  }
}
