package io.sluice.lab.bench.measure;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What a benchmark ran on.
 *
 * @param memoryMib of the machine
 * @param heapMib most that this process may use
 * @param load of the last minute, before the benchmark began; negative when unknown
 */
public record Machine(
    String processor, int cores, long memoryMib, long heapMib, String system, double load) {
  private static final Path PROCESSORS = Path.of("/proc/cpuinfo");
  private static final int MIB = 1 << 20;

  /** The machine as it is now. */
  public static Machine here() {
    var system =
        (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return new Machine(
        processorName(),
        Runtime.getRuntime().availableProcessors(),
        system.getTotalMemorySize() / MIB,
        Runtime.getRuntime().maxMemory() / MIB,
        system.getName()
            + " "
            + system.getVersion()
            + ", Java "
            + System.getProperty("java.version"),
        system.getSystemLoadAverage());
  }

  private static String processorName() {
    try (Stream<String> lines = Files.lines(PROCESSORS)) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException e) {
      // Only Linux has that file.
      return System.getProperty("os.arch");
    }
  }

  /** One line for people. */
  String line() {
    return String.format(
        Locale.ROOT,
        "%s, %d cores, %.0f GiB, heap %.1f GiB, %s, load %.2f before",
        processor,
        cores,
        memoryMib / 1024.0,
        heapMib / 1024.0,
        system,
        load);
  }
}
