package io.sluice.service.broker;

import io.sluice.control.error.BadInputException;
import io.sluice.service.supervise.JavaProcess;
import io.sluice.service.supervise.LongLived;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.function.IntUnaryOperator;
import org.apache.kafka.common.Uuid;

/**
 * A Kafka broker on the loopback interface, alone or one of a cluster, ready to be started as often
 * as needed.
 *
 * @param home directory of its settings and its log
 * @param bootstrapServers what a Kafka client starts from: {@code host:port}
 * @param process the program
 */
public record BrokerProgram(Path home, String bootstrapServers, JavaProcess process) {
  /** What a broker does not write in order it recovers, and for longer, when it starts next. */
  public static final Duration ORDERLY_STOP = Duration.ofMinutes(10);

  private static final String LOG = "log";
  private static final String SETTINGS = "server.properties";

  /**
   * Writes the settings of a broker that is alone.
   *
   * @param directory made when missing
   * @param port of the listener; 0 for any free one
   * @param heapMib the broker's heap, in MiB
   * @throws BadInputException if the port is in use or the directory cannot be written
   */
  public static BrokerProgram in(Path directory, int port, int heapMib) {
    return in(directory, port, 1, heapMib, IntUnaryOperator.identity()).get(0);
  }

  /**
   * Writes the settings of a cluster's brokers, each in a directory of its own if there are
   * several.
   *
   * @param directory made when missing
   * @param port of the first one's listener; 0 for any free one
   * @param brokers how many
   * @param heapMib each broker's heap, in MiB
   * @param told from the port that a broker listens on to the one that others are told
   * @throws BadInputException if the port is in use or the directory cannot be written
   */
  public static List<BrokerProgram> in(
      Path directory, int port, int brokers, int heapMib, IntUnaryOperator told) {
    Path home = writable(directory.toAbsolutePath().normalize());
    List<BrokerNode> cluster = new ArrayList<>();
    for (int id = 1; id <= brokers; id++) {
      int listener = port == 0 || id > 1 ? Ports.free() : Ports.requireFree(port);
      Path own = brokers == 1 ? home : writable(home.resolve(Integer.toString(id)));
      cluster.add(
          new BrokerNode(id, own.resolve(LOG), listener, told.applyAsInt(listener), Ports.free()));
    }
    String clusterId = clusterId(home.resolve("cluster-id"));
    return cluster.stream().map(node -> of(node, cluster, clusterId, heapMib)).toList();
  }

  private static BrokerProgram of(
      BrokerNode node, List<BrokerNode> cluster, String clusterId, int heapMib) {
    Path home = Objects.requireNonNull(node.log().getParent());
    Path settings = home.resolve(SETTINGS);
    try {
      write(BrokerProperties.of(node, cluster), settings);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + settings, e);
    }
    List<String> options = new ArrayList<>(LongLived.COMPILERS);
    options.add("-Xmx" + heapMib + "m");
    options.add("-XX:+UseSerialGC");
    options.add("-XX:+ExitOnOutOfMemoryError");
    options.add(
        "-Dlog4j2.configurationFile=classpath:io/sluice/service/broker/broker-log4j2.properties");
    options.add("-Dlog4j2.disableJmx=true");
    return new BrokerProgram(
        home,
        node.address(),
        new JavaProcess(
                BrokerMain.class.getName(), options, List.of(settings.toString(), clusterId))
            .remembered("broker"));
  }

  /** The same with settings that go before its own. */
  public BrokerProgram with(Map<String, String> settings) {
    Path file = home.resolve(SETTINGS);
    try {
      Properties all = BrokerMain.load(file);
      all.putAll(settings);
      write(all, file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
    return this;
  }

  /** Directory of its log. */
  public Path log() {
    return home.resolve(LOG);
  }

  /** The id that new storage gets, the same for all brokers of a cluster. */
  private static String clusterId(Path file) {
    try {
      if (!Files.exists(file)) {
        Files.writeString(file, Uuid.randomUuid() + "\n", StandardCharsets.US_ASCII);
      }
      return Files.readString(file, StandardCharsets.US_ASCII).strip();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot use " + file, e);
    }
  }

  private static Path writable(Path directory) {
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new BadInputException(
          "state directory must be one that can be made and written: " + directory + ": " + e, e);
    }
    if (!Files.isWritable(directory)) {
      throw new BadInputException("state directory must be writable: " + directory);
    }
    return directory;
  }

  private static void write(Properties properties, Path file) throws IOException {
    try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
      properties.store(out, "Written at each start; changes are lost.");
    }
  }
}
