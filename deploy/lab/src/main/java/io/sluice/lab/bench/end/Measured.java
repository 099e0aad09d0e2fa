package io.sluice.lab.bench.end;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What one reading took.
 *
 * @param mtokPerSecond 10^6 tokens a second, from a reader's first batch to its last
 * @param cpuSecondsPerGtok of each part that it has, for 10^9 tokens
 * @param residentMib of the same at its end
 */
record Measured(
    Way way,
    double mtokPerSecond,
    Map<Part, Double> cpuSecondsPerGtok,
    Map<Part, Double> residentMib) {
  private static final double GIGA = 1e9;
  private static final double MEGA = 1e6;

  /**
   * Reads, and looks at the processes before and after.
   *
   * @param parts the processes, by what they do
   */
  static Measured of(
      Way way, Map<Part, List<ProcessHandle>> parts, Supplier<Readers.Read> reading) {
    Map<Part, ProcessUse> before = new EnumMap<>(Part.class);
    parts.forEach((part, processes) -> before.put(part, ProcessUse.of(processes)));
    Readers.Read read = reading.get();
    Map<Part, Double> cpu = new EnumMap<>(Part.class);
    Map<Part, Double> resident = new EnumMap<>(Part.class);
    before.forEach(
        (part, then) -> {
          ProcessUse now = ProcessUse.of(parts.getOrDefault(part, List.of()));
          cpu.put(part, (now.cpuSeconds() - then.cpuSeconds()) / read.tokens() * GIGA);
          resident.put(part, now.residentMib());
        });
    return new Measured(way, read.perSecond() / MEGA, cpu, resident);
  }

  /** Of all parts together. */
  double allCpuSecondsPerGtok() {
    return cpuSecondsPerGtok.values().stream().mapToDouble(Double::doubleValue).sum();
  }
}
