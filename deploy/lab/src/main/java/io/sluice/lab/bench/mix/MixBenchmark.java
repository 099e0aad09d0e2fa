package io.sluice.lab.bench.mix;

import io.sluice.lab.bench.measure.BenchLog;
import io.sluice.lab.bench.measure.BlockTopics;
import io.sluice.lab.bench.measure.MixPoint;
import io.sluice.lab.bench.measure.MixedRun;
import io.sluice.lab.bench.measure.Spread;
import io.sluice.lab.bench.measure.Stage;
import io.sluice.lab.bench.measure.TopicMeter;
import io.sluice.lab.bench.measure.TopicMeter.Growth;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/**
 * Measures the mix job against copies of the same topics. They take turns, so that what else the
 * machine does meets all of them, there and back, so that what one leaves behind does not always
 * meet the same other; the first turns warm up and are not counted. It takes more than one: for a
 * minute or two the compilers of this process and the broker need half a machine of two cores.
 */
record MixBenchmark(Path directory, int warmUps, int repeats, BenchLog log) {
  /** A copy's first blocks, which its start is mixed up with, are not measured. */
  private static final double WARM_UP = 0.2;

  /** Nor are its last, when partitions have run dry. */
  private static final double END = 0.95;

  MixResult measure(MixPoint point) {
    try (Stage stage = Stage.open(directory, point.compression());
        TopicMeter meter = new TopicMeter(stage)) {
      BlockTopics blocks = BlockTopics.of(stage.kafka(), point);
      log.say(
          "%d domains, %s: filling %d MB",
          point.domains(),
          point.compression().kafkaName(),
          point.sequences() * blocks.blockBytes() / 1_000_000);
      blocks.fill();
      List<Copy> copies =
          List.of(
              new MixCopy(stage, meter, MixedRun.fixed(blocks.spec(), point), point.runs()),
              new PlainCopy(stage.kafka(), blocks.partitions(), point.partitions()),
              FlinkCopy.plain(stage, blocks.partitions(), point.partitions()),
              FlinkCopy.tuned(stage, blocks.partitions(), point.partitions()));
      Map<Copy, List<Growth>> growths = new LinkedHashMap<>();
      copies.forEach(copy -> growths.put(copy, new ArrayList<>()));
      List<Copy> order = new ArrayList<>(copies);
      for (int turn = 1 - warmUps; turn <= repeats; turn++) {
        for (Copy copy : order) {
          Growth growth = measure(meter, copy, warmUps + turn, point);
          log.say(
              "%s: %s %.0f MB/s, live heap %.0f MiB",
              BenchLog.turn(turn, repeats),
              copy.name(),
              growth.megabytesPerSecond(blocks.blockBytes()),
              growth.liveHeapMib());
          if (turn > 0) {
            Objects.requireNonNull(growths.get(copy)).add(growth);
          }
        }
        Collections.reverse(order);
      }
      return result(point, blocks.blockBytes(), List.copyOf(growths.values()));
    }
  }

  private static Growth measure(TopicMeter meter, Copy copy, int number, MixPoint point) {
    long records = point.sequences() * copy.times();
    try (Copy.Running running = copy.start(number)) {
      return meter.measure(running.written(), (long) (records * WARM_UP), (long) (records * END));
    }
  }

  private static MixResult result(MixPoint point, int blockBytes, List<List<Growth>> growths) {
    List<Spread> rates =
        growths.stream().map(all -> spread(all, g -> g.megabytesPerSecond(blockBytes))).toList();
    List<MixResult.Cost> costs =
        growths.stream()
            .map(
                all ->
                    new MixResult.Cost(
                        spread(all, Growth::cpuMicrosPerRecord).median(),
                        spread(all, Growth::brokerCpuMicrosPerRecord).median(),
                        spread(all, Growth::allocatedPerRecord).median(),
                        spread(all, Growth::liveHeapMib).median()))
            .toList();
    double mix = rates.get(0).median();
    double copy = rates.get(1).median();
    double flinkCopy = rates.get(2).median();
    double tunedFlinkCopy = rates.get(3).median();
    return new MixResult(
        point.domains(),
        point.lanes(),
        point.runs(),
        point.partitions(),
        point.batchSize(),
        blockBytes,
        point.compression().kafkaName(),
        mix,
        copy,
        flinkCopy,
        tunedFlinkCopy,
        mix / copy,
        mix / flinkCopy,
        mix / tunedFlinkCopy,
        costs.get(0),
        costs.get(1),
        costs.get(2),
        costs.get(3),
        rates);
  }

  private static Spread spread(List<Growth> growths, ToDoubleFunction<Growth> value) {
    return Spread.of(growths.stream().map(g -> value.applyAsDouble(g)).toList());
  }
}
