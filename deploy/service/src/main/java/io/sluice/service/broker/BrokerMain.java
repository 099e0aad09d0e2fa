package io.sluice.service.broker;

import io.sluice.service.supervise.ParentWatch;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;

/**
 * Main class of the broker's process: formats its storage when that is new, serves until standard
 * input ends, then shuts down. Whoever starts it holds the other end of that pipe, so the broker
 * never outlives its parent, however the parent dies.
 */
final class BrokerMain {
  private BrokerMain() {}

  /** Takes the path of the server's properties, and the id of its cluster. */
  public static void main(String[] args) {
    ParentWatch.ignoreInterrupts();
    try {
      serve(Path.of(args[0]), args[1]);
      System.exit(0);
    } catch (Throwable e) {
      e.printStackTrace();
      System.out.println("The broker ends: " + e);
      // Not exit(): half-started parts may hang in their shutdown hooks.
      Runtime.getRuntime().halt(1);
    }
  }

  private static void serve(Path settings, String clusterId) throws Exception {
    KafkaConfig config = KafkaConfig.fromProps(load(settings), false);
    format(config, clusterId);
    KafkaRaftServer server = new KafkaRaftServer(config, Time.SYSTEM);
    server.startup();
    ParentWatch.awaitEnd();
    server.shutdown();
    server.awaitShutdown();
  }

  /** The settings that a file has. */
  static Properties load(Path file) throws IOException {
    Properties properties = new Properties();
    try (Reader in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      properties.load(in);
    }
    return properties;
  }

  private static void format(KafkaConfig config, String clusterId) throws Exception {
    String directory = config.metadataLogDir();
    if (Files.exists(Path.of(directory, "meta.properties"))) {
      return;
    }
    new Formatter()
        .setPrintStream(System.out)
        .setNodeId(config.nodeId())
        .setClusterId(clusterId)
        .setControllerListenerName(BrokerProperties.CONTROLLER)
        .setMetadataLogDirectory(directory)
        .addDirectory(directory)
        .run();
  }
}
