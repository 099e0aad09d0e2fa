package io.sluice.service.broker;

import io.sluice.control.rights.Right;
import io.sluice.control.rights.RightsAdmin;
import io.sluice.schema.KafkaAccess;
import io.sluice.service.Patience;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;

/**
 * A broker whose listener speaks TLS, with a certificate made for the occasion, and asks for a
 * password (SCRAM). Its first user may do everything under one prefix and nothing else.
 */
public final class SecuredBroker implements AutoCloseable {
  private static final String USER = "trainer";
  private static final String MECHANISM = "SCRAM-SHA-512";
  private final Path directory;
  private final BrokerProgram program;
  private final String inside;
  private Process process;
  private final String password = "secret-" + UUID.randomUUID();

  /**
   * Starts the broker.
   *
   * @param prefix first part of the topics, groups and transactional ids that its user may touch
   */
  public SecuredBroker(Path directory, String prefix) {
    this.directory = directory;
    program = BrokerProgram.in(directory, 0, 512);
    int internal = Ports.free();
    try {
      makeCertificate();
      secure(internal);
      inside = EmbeddedBroker.HOST + ":" + internal;
      process = start();
      admit(
          USER,
          Stream.of(ResourceType.TOPIC, ResourceType.GROUP, ResourceType.TRANSACTIONAL_ID)
              .map(type -> new Right(type, PatternType.PREFIXED, prefix, List.of(AclOperation.ALL)))
              .toList());
    } catch (IOException e) {
      throw new IllegalStateException("cannot start a secured broker in " + directory, e);
    }
  }

  /** What a client without a password starts from, which may do everything. */
  public String inside() {
    return inside;
  }

  /** What a Kafka client starts from: {@code host:port}. */
  public String bootstrapServers() {
    return program.bootstrapServers();
  }

  /** What nobody may print. */
  public String password() {
    return password;
  }

  /** Certificate that clients must trust, as PEM. */
  public Path certificate() {
    return directory.resolve("broker.pem");
  }

  /** A file of client settings that the broker lets in. */
  public Path clientSettings() throws IOException {
    return clientSettings("client.properties", password, Map.of());
  }

  /** A file of client settings with another password, or with further settings. */
  public Path clientSettings(String name, String secret, Map<String, String> over)
      throws IOException {
    Properties p = new Properties();
    p.setProperty("security.protocol", "SASL_SSL");
    p.setProperty("sasl.mechanism", MECHANISM);
    p.setProperty("sasl.jaas.config", login(USER, secret));
    p.setProperty("ssl.truststore.type", "PEM");
    p.setProperty("ssl.truststore.location", certificate().toString());
    over.forEach(
        (key, value) -> {
          if (value.isEmpty()) {
            p.remove(key);
          } else {
            p.setProperty(key, value);
          }
        });
    Path file = directory.resolve(name);
    try (Writer out = Files.newBufferedWriter(file)) {
      p.store(out, null);
    }
    return file;
  }

  /**
   * Lets a user in, or one who is in do more.
   *
   * @return a file of this user's settings
   */
  public Path admit(String user, List<Right> rights) throws IOException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", inside))) {
      ScramCredentialInfo scram = new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4096);
      admin
          .alterUserScramCredentials(
              List.of(new UserScramCredentialUpsertion(user, scram, password)))
          .all()
          .get();
    } catch (ExecutionException | InterruptedException e) {
      throw new IllegalStateException("cannot admit the user", e);
    }
    RightsAdmin.give(KafkaAccess.local(inside), "User:" + user, rights);
    return clientSettings(
        user + ".properties", password, Map.of("sasl.jaas.config", login(user, password)));
  }

  private static String login(String user, String secret) {
    return "org.apache.kafka.common.security.scram.ScramLoginModule required username=\""
        + user
        + "\" password=\""
        + secret
        + "\";";
  }

  private void makeCertificate() throws IOException {
    keytool(
        "-genkeypair",
        "-keyalg",
        "RSA",
        "-keysize",
        "2048",
        "-validity",
        "2",
        "-dname",
        "CN=broker",
        "-ext",
        "san=ip:" + EmbeddedBroker.HOST,
        "-storetype",
        "PKCS12");
    keytool("-exportcert", "-rfc", "-file", certificate().toString());
  }

  private void keytool(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments));
    Stream.of("-alias", "broker", "-keystore", keystore().toString(), "-storepass", password)
        .forEach(command::add);
    Path said = directory.resolve("keytool.log");
    try {
      int code =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(said.toFile())
              .start()
              .waitFor();
      if (code != 0) {
        throw new IllegalStateException(Files.readString(said));
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
  }

  private Path keystore() {
    return directory.resolve("broker.p12");
  }

  private void secure(int internal) throws IOException {
    Path file = directory.resolve("server.properties");
    Properties p = new Properties();
    try (Reader in = Files.newBufferedReader(file)) {
      p.load(in);
    }
    String clients = "CLIENTS://" + program.bootstrapServers();
    String inside = "INTERNAL://" + EmbeddedBroker.HOST + ":" + internal;
    String controller = p.getProperty("listeners").split(",", -1)[1];
    p.setProperty("listeners", String.join(",", clients, inside, controller));
    p.setProperty("advertised.listeners", clients + "," + inside);
    p.setProperty(
        "listener.security.protocol.map",
        "CLIENTS:SASL_SSL,INTERNAL:PLAINTEXT," + BrokerProperties.CONTROLLER + ":PLAINTEXT");
    p.setProperty("inter.broker.listener.name", "INTERNAL");
    p.setProperty("sasl.enabled.mechanisms", MECHANISM);
    p.setProperty(
        "listener.name.clients.scram-sha-512.sasl.jaas.config",
        "org.apache.kafka.common.security.scram.ScramLoginModule required;");
    p.setProperty("ssl.keystore.type", "PKCS12");
    p.setProperty("ssl.keystore.location", keystore().toString());
    p.setProperty("ssl.keystore.password", password);
    p.setProperty(
        "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
    p.setProperty("super.users", "User:ANONYMOUS");
    try (Writer out = Files.newBufferedWriter(file)) {
      p.store(out, null);
    }
  }

  private Process start() throws IOException {
    Path log = directory.resolve("broker.log");
    Process started = program.process().builder(List.of()).redirectOutput(log.toFile()).start();
    if (!BrokerProbe.awaitReady(inside, 1, Patience.MINUTE, started::isAlive)) {
      throw new IllegalStateException(LogTail.of(log, 20));
    }
    return started;
  }

  /** Kills the broker and starts it again. */
  public void restart() throws IOException {
    close();
    process = start();
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
