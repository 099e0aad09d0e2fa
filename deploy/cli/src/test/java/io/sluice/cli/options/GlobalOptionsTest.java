package io.sluice.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.BadInputException;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** What comes first: options, the environment, the context, what was started here. */
class GlobalOptionsTest {
  @TempDir private Path folder;
  private Map<String, String> environment;

  @BeforeEach
  void set() throws IOException {
    environment = new HashMap<>(Map.of("XDG_CONFIG_HOME", folder.toString()));
    Contexts both =
        Contexts.NONE.with(context("one", "one:1", "one.")).with(context("two", "two:2", "two."));
    ContextFile.of(environment).write(both.using("one"));
  }

  private Context context(String name, String kafka, String prefix) throws IOException {
    return new Context(
        name,
        kafka,
        Optional.of(prefix),
        Optional.of(settings(name)),
        Optional.of(folder.resolve("plugins-of-" + name)));
  }

  private Path settings(String name) throws IOException {
    return Files.writeString(folder.resolve(name + ".properties"), "client.id=" + name + "\n");
  }

  @Test
  void theContextInUseHolds() {
    assertThat(access()).isEqualTo(of("one:1", "one.", "one"));
    environment.put("SLUICE_CONTEXT", "two");
    assertThat(access()).isEqualTo(of("two:2", "two.", "two"));
    environment.put("SLUICE_CONTEXT", "");
    assertThat(access()).as("what is empty is not set").isEqualTo(of("one:1", "one.", "one"));
  }

  @Test
  void theEnvironmentComesBeforeIt() throws IOException {
    environment.put("SLUICE_PREFIX", "team.");
    environment.put("SLUICE_KAFKA_CONFIG", settings("other").toString());
    assertThat(access()).isEqualTo(of("one:1", "team.", "other"));
  }

  @Test
  void theOptionsComeFirst() throws IOException {
    environment.put("SLUICE_PREFIX", "team.");
    environment.put("SLUICE_KAFKA_CONFIG", settings("other").toString());
    assertThat(access("--prefix", "mine.", "--kafka-config", settings("mine").toString()))
        .isEqualTo(of("one:1", "mine.", "mine"));
    assertThat(access("--context", "two", "--kafka", "b:3")).isEqualTo(of("b:3", "two.", "two"));
  }

  @Test
  void aContextThatIsNamedHoldsAsAWhole() throws IOException {
    environment.put("SLUICE_KAFKA", "e:9");
    environment.put("SLUICE_PREFIX", "team.");
    environment.put("SLUICE_KAFKA_CONFIG", settings("other").toString());
    assertThat(access("--context", "two")).isEqualTo(of("two:2", "two.", "two"));
  }

  @Test
  void aPasswordIsForItsOwnBrokersAlone() {
    KafkaAccess bare = KafkaAccess.local("e:9");
    assertThat(access("--kafka", "e:9")).isEqualTo(bare);
    environment.put("SLUICE_KAFKA", "e:9");
    environment.put("SLUICE_CONTEXT", "two");
    assertThat(access()).isEqualTo(bare);
  }

  @Test
  void whatWasStartedHereComesLast() throws IOException {
    ContextFile.of(environment).write(Contexts.NONE);
    assertThatThrownBy(this::access)
        .isInstanceOf(BadInputException.class)
        .hasMessageStartingWith("no Kafka is known");
    Files.createDirectories(folder.resolve("up"));
    Files.writeString(folder.resolve("up/endpoint"), "127.0.0.1:9092\n");
    assertThat(access()).isEqualTo(KafkaAccess.local("127.0.0.1:9092"));
  }

  @Test
  void whatIsWrongIsNamedByWhatGaveIt() {
    environment.put("SLUICE_KAFKA", "nonsense");
    assertThatThrownBy(this::access)
        .hasMessage("$SLUICE_KAFKA must be HOST:PORT, or several with commas between: 'nonsense'");
    assertThatThrownBy(() -> access("--context", "three"))
        .isInstanceOf(BadInputException.class)
        .hasMessage(
            "--context must be one of [one, two], which 'sluice context set' adds to: 'three'");
    environment.remove("SLUICE_KAFKA");
    environment.put("SLUICE_CONTEXT", "three");
    assertThatThrownBy(this::access)
        .hasMessageStartingWith("$SLUICE_CONTEXT must be one of [one, two]");
    assertThatThrownBy(() -> access("--context", "one", "--kafka-config", "none"))
        .hasMessageStartingWith("--kafka-config must be a readable properties file: none");
    assertThatThrownBy(() -> parse("--context", "one").requirePlugins())
        .hasMessageStartingWith("context 'one' must be a directory of jars: " + folder);
  }

  @Test
  void whoIsStartedByACommandFindsTheSame() {
    GlobalOptions options = parse("--context", "two");
    assertThat(parse(options.arguments().toArray(String[]::new)).access())
        .isEqualTo(options.access());
    assertThat(parse().arguments())
        .containsExactly(
            "--kafka",
            "one:1",
            "--prefix",
            "one.",
            "--kafka-config",
            folder.resolve("one.properties").toString(),
            "--plugins",
            folder.resolve("plugins-of-one").toString());
  }

  private static KafkaAccess of(String servers, String prefix, String client) {
    return new KafkaAccess(servers, new Topics(prefix), Map.of("client.id", client));
  }

  private KafkaAccess access(String... arguments) {
    return parse(arguments).access();
  }

  private GlobalOptions parse(String... arguments) {
    GlobalOptions options = new GlobalOptions(environment, folder);
    new CommandLine(new Bare()).addMixin("global", options).parseArgs(arguments);
    return options;
  }

  @Command(name = "bare")
  private static final class Bare {}
}
