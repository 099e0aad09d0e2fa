package io.sluice.lab;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cli.Sluice;
import io.sluice.cli.options.GlobalOptions;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.schema.EndOfDomain;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.KafkaUnreachableException;
import io.sluice.schema.TopicReader;
import io.sluice.schema.WireCodec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import picocli.CommandLine;

/**
 * Loads the classes that a command loads before and while it asks Kafka, and does nothing: what the
 * launcher archives so that commands start faster. Neither a Kafka nor a home is needed.
 */
final class Rehearsal {
  /** As long as it takes to send a request to someone who does not answer. */
  private static final Duration PATIENCE = Duration.ofMillis(100);

  private Rehearsal() {}

  /** Takes no arguments; asks a listener of its own on the loopback interface. */
  public static void main(String[] args) throws IOException {
    readHelp(
        Sluice.commandLine(
            new GlobalOptions(Map.of(), Path.of(System.getProperty("sluice.home"))), Lab::addTo));
    new ObjectMapper().createObjectNode();
    WireCodec.decode(WireCodec.encode(new EndOfDomain("domain", 0, 0L)));
    try (ServerSocket mute = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
      KafkaAccess access = KafkaAccess.local("127.0.0.1:" + mute.getLocalPort());
      ask(access);
      change(access);
    }
  }

  private static void readHelp(CommandLine command) {
    command.getUsageMessage();
    command.getSubcommands().values().forEach(Rehearsal::readHelp);
  }

  private static void ask(KafkaAccess access) {
    try (TopicReader reader = TopicReader.committed(access)) {
      reader.partitions(access.topics().status(), PATIENCE);
    } catch (KafkaUnreachableException mute) {
      return;
    }
  }

  private static void change(KafkaAccess access) {
    try (TopicAdmin admin = new TopicAdmin(access, PATIENCE)) {
      admin.ensureService();
    } catch (KafkaUnreachableException mute) {
      return;
    }
  }
}
