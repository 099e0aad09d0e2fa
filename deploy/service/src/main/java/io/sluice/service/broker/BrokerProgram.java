package io.sluice.service.broker;

import io.sluice.control.error.BadInputException;
import io.sluice.service.supervise.JavaProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;

/**
 * A single-node Kafka broker on the loopback interface, ready to be started as often as needed.
 *
 * @param home directory of its settings and its log
 * @param port of the listener
 * @param process the program
 */
public record BrokerProgram(Path home, int port, JavaProcess process) {
  /**
   * Writes the broker's settings.
   *
   * @param directory made when missing
   * @param port of the listener; 0 for any free one
   * @param heapMib the broker's heap, in MiB
   * @throws BadInputException if the port is in use or the directory cannot be written
   */
  public static BrokerProgram in(Path directory, int port, int heapMib) {
    Path home = writable(directory.toAbsolutePath().normalize());
    int listener = port == 0 ? Ports.free() : Ports.requireFree(port);
    Path settings = home.resolve("server.properties");
    try {
      write(BrokerProperties.singleNode(home.resolve("log"), listener, Ports.free()), settings);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + settings, e);
    }
    List<String> options =
        List.of(
            "-Xmx" + heapMib + "m",
            "-XX:+UseSerialGC",
            "-Xshare:auto",
            "-XX:+ExitOnOutOfMemoryError",
            "-Dlog4j2.configurationFile=classpath:io/sluice/service/broker/broker-log4j2.properties",
            "-Dlog4j2.disableJmx=true");
    return new BrokerProgram(
        home,
        listener,
        new JavaProcess(BrokerMain.class.getName(), options, List.of(settings.toString())));
  }

  /** What a Kafka client starts from: {@code host:port}. */
  public String bootstrapServers() {
    return EmbeddedBroker.HOST + ":" + port;
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
