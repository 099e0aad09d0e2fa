package io.sluice.lab.bench.end;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What processes have used so far, all their threads together, the compiler's and the collector's
 * among them.
 *
 * @param cpuSeconds since they began
 * @param residentMib of memory that is theirs: pages of files that they map are left out, which the
 *     machine has once for all and can drop
 */
record ProcessUse(double cpuSeconds, double residentMib) {
  private static final List<String> OWN = List.of("RssAnon:", "RssShmem:");
  private static final double KIB_OF_MIB = 1024;

  /** As of now. */
  static ProcessUse of(List<ProcessHandle> processes) {
    double cpu = 0;
    double resident = 0;
    for (ProcessHandle process : processes) {
      cpu += process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
      resident += residentMib(process.pid());
    }
    return new ProcessUse(cpu, resident);
  }

  private static double residentMib(long pid) {
    try {
      return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
          .map(line -> line.split("\\s+"))
          .filter(words -> OWN.contains(words[0]))
          .mapToDouble(words -> Long.parseLong(words[1]) / KIB_OF_MIB)
          .sum();
    } catch (IOException e) {
      throw new UncheckedIOException("what process " + pid + " uses cannot be read", e);
    }
  }
}
