package io.sluice.lab.bench.mix;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.LowerCamelCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.sluice.lab.bench.measure.Spread;
import java.util.List;
import java.util.Locale;

/**
 * How fast blocks were mixed, and how fast they were copied in the same run.
 *
 * @param lanes partitions of each block topic
 * @param runs mixed at a time, their rates added
 * @param partitions of each stream
 * @param batchSize sequences in a batch
 * @param blockBytes bytes of each record
 * @param mixMBps median, in 10^6 bytes a second, like the others
 * @param flinkCopyMBps of Flink's Kafka source and sink as they come
 * @param tunedFlinkCopyMBps of the same with the streams' settings of a producer
 * @param mixCost what mixing takes, next to what the copies take
 */
@JsonNaming(LowerCamelCaseStrategy.class)
record MixResult(
    int domains,
    int lanes,
    int runs,
    int partitions,
    int batchSize,
    int blockBytes,
    String compression,
    double mixMBps,
    double copyMBps,
    double flinkCopyMBps,
    double tunedFlinkCopyMBps,
    double ratioToCopy,
    double ratioToFlinkCopy,
    double ratioToTunedFlinkCopy,
    Cost mixCost,
    Cost copyCost,
    Cost flinkCopyCost,
    Cost tunedFlinkCopyCost,
    @JsonIgnore List<Spread> spreads) {

  /**
   * What a way of copying takes.
   *
   * @param cpuMicros processor time for each block, in microseconds
   * @param brokerCpuMicros the broker's
   * @param allocatedBytes bytes of objects made for each block
   * @param liveHeapMiB in use after a collection in the midst of it, this whole process
   */
  @JsonNaming(LowerCamelCaseStrategy.class)
  record Cost(double cpuMicros, double brokerCpuMicros, double allocatedBytes, double liveHeapMiB) {
    double allMicros() {
      return cpuMicros + brokerCpuMicros;
    }

    private String text() {
      return String.format(
          Locale.ROOT,
          "%.1f + %.1f µs, %.1f kB, %.0f MiB",
          cpuMicros,
          brokerCpuMicros,
          allocatedBytes / 1e3,
          liveHeapMiB);
    }
  }

  static final List<String> HEAD =
      List.of(
          "domains",
          "lanes",
          "runs",
          "partitions",
          "batch",
          "block",
          "compression",
          "mix MB/s",
          "plain copy MB/s",
          "Flink copy MB/s",
          "tuned Flink copy MB/s",
          "× plain",
          "× Flink",
          "× tuned",
          "a block takes: mix",
          "plain copy",
          "Flink copy",
          "tuned Flink copy");

  /** What the columns of costs say. */
  static final String LEGEND =
      "A block takes: processor time of the copying process and of the broker, bytes of new"
          + " objects; then the live heap of the whole process.";

  /** The row of a table. */
  List<String> row() {
    return List.of(
        Integer.toString(domains),
        Integer.toString(lanes),
        Integer.toString(runs),
        Integer.toString(partitions),
        Integer.toString(batchSize),
        blockBytes + " B",
        compression,
        spreads.get(0).text(0),
        spreads.get(1).text(0),
        spreads.get(2).text(0),
        spreads.get(3).text(0),
        String.format(Locale.ROOT, "%.2f", ratioToCopy),
        String.format(Locale.ROOT, "%.2f", ratioToFlinkCopy),
        String.format(Locale.ROOT, "%.2f", ratioToTunedFlinkCopy),
        mixCost.text(),
        copyCost.text(),
        flinkCopyCost.text(),
        tunedFlinkCopyCost.text());
  }
}
