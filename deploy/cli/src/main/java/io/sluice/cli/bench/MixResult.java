package io.sluice.cli.bench;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.LowerCamelCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.List;
import java.util.Locale;

/**
 * How fast blocks were mixed, and how fast they were copied in the same run.
 *
 * @param lanes partitions of each block topic
 * @param blockBytes bytes of each record
 * @param mixMBps median, in 10^6 bytes a second, like the two others
 * @param mixCpuMicros processor time of the job for each block, in microseconds
 * @param copyCpuMicros of the plain copy
 * @param flinkCopyCpuMicros of the Flink copy
 * @param brokerCpuMicros of the broker while it served the job
 */
@JsonNaming(LowerCamelCaseStrategy.class)
record MixResult(
    int domains,
    int lanes,
    int blockBytes,
    String compression,
    double mixMBps,
    double copyMBps,
    double flinkCopyMBps,
    double ratioToCopy,
    double ratioToFlinkCopy,
    double mixCpuMicros,
    double copyCpuMicros,
    double flinkCopyCpuMicros,
    double brokerCpuMicros,
    @JsonIgnore List<Spread> spreads) {

  static final List<String> HEAD =
      List.of(
          "domains",
          "block",
          "compression",
          "mix MB/s",
          "plain copy MB/s",
          "Flink copy MB/s",
          "× plain",
          "× Flink",
          "CPU µs/block",
          "plain copy's",
          "Flink copy's",
          "broker's");

  /** The row of a table. */
  List<String> row() {
    return List.of(
        Integer.toString(domains),
        blockBytes + " B",
        compression,
        spreads.get(0).text(0),
        spreads.get(1).text(0),
        spreads.get(2).text(0),
        number("%.2f", ratioToCopy),
        number("%.2f", ratioToFlinkCopy),
        number("%.1f", mixCpuMicros),
        number("%.1f", copyCpuMicros),
        number("%.1f", flinkCopyCpuMicros),
        number("%.1f", brokerCpuMicros));
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }
}
