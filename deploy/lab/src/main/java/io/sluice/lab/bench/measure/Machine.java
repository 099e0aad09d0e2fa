package io.sluice.lab.bench.measure;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What a benchmark runs on.
 *
 * @param line the processor and its cores, the memory of the machine, the most of it that this
 *     process may use, and the load of the last minute, negative when unknown: a line for people
 */
public record Machine(String line) {
  private static final Path PROCESSORS = Path.of("/proc/cpuinfo");
  private static final double GIB = 1 << 30;

  /** The machine as it is now. */
  public static Machine here() {
    var system =
        (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return new Machine(
        String.format(
            Locale.ROOT,
            "%s, %d cores, %.0f GiB, heap %.1f GiB, %s %s, Java %s, load %.2f before",
            processorName(),
            Runtime.getRuntime().availableProcessors(),
            system.getTotalMemorySize() / GIB,
            Runtime.getRuntime().maxMemory() / GIB,
            system.getName(),
            system.getVersion(),
            System.getProperty("java.version"),
            system.getSystemLoadAverage()));
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
}
