package io.sluice.cli.context;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cli.Sluice;
import io.sluice.cli.options.GlobalOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ContextCommandTest {
  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void contextsAreSetUsedShownAndRemoved() throws IOException {
    assertThat(run("set", "prod", "--kafka", "a:1,b:2", "--prefix", "team.")).isZero();
    assertThat(out.toString()).isEqualTo("context: prod\nkafka: a:1,b:2\nprefix: team.\n");
    assertThat(err.toString()).contains("'sluice context use prod' makes it the one that holds");
    assertThat(run("use", "prod")).isZero();
    assertThat(out.toString()).isEqualTo("context prod is in use: a:1,b:2\n");
    String settings = folder.resolve("p").toString();
    assertThat(run("set", "prod", "--kafka-config", settings)).isEqualTo(2);
    assertThat(err.toString()).contains("--kafka-config must be a readable properties file: ");
    Files.writeString(folder.resolve("p"), "security.protocol=SSL\n");
    assertThat(run("set", "prod", "--kafka-config", settings)).isZero();
    assertThat(run("set", "dev", "--kafka", "c:3")).isZero();
    assertThat(run("list")).isZero();
    assertThat(out.toString())
        .containsPattern("\\* prod +team\\. +a:1,b:2\\n")
        .containsPattern("\\n  dev +- +c:3\\n");
    assertThat(run("show", "--json", "-")).isZero();
    JsonNode shown = new ObjectMapper().readTree(out.toString());
    assertThat(shown.path("context").asText()).isEqualTo("prod");
    assertThat(shown.path("current").asBoolean()).isTrue();
    assertThat(shown.path("kafka-config").asText()).isEqualTo(settings);
    assertThat(shown.path("plugins").isNull()).isTrue();
    assertThat(run("remove", "prod")).isZero();
    assertThat(out.toString()).isEqualTo("context prod is removed; none is in use now\n");
    assertThat(run("show", "dev")).isZero();
    assertThat(out.toString()).isEqualTo("context: dev\nkafka: c:3\n");
  }

  @Test
  void whatIsChangedIsReported() throws IOException {
    assertThat(run("set", "prod", "--kafka", "a:1", "--json", "-")).isZero();
    assertThat(reported("context").asText()).isEqualTo("prod");
    assertThat(reported("current").asBoolean()).isFalse();
    assertThat(run("use", "prod", "--json", "-")).isZero();
    assertThat(reported("current").asBoolean()).isTrue();
    assertThat(run("remove", "prod", "--json", "-")).isZero();
    assertThat(reported("kafka").asText()).isEqualTo("a:1");
  }

  private JsonNode reported(String key) throws IOException {
    return new ObjectMapper().readTree(out.toString()).path(key);
  }

  @Test
  void whatCannotBeIsBadInput() throws IOException {
    assertThat(run("set", "new")).isEqualTo(2);
    assertThat(err.toString()).contains("--kafka must be given for a new context: 'new'");
    assertThat(run("set", "a/b", "--kafka", "c:3")).isEqualTo(2);
    assertThat(err.toString()).contains("context must be 1 to 63 letters", "'a/b'");
    assertThat(run("set", "a", "--kafka", "c")).isEqualTo(2);
    assertThat(err.toString()).contains("kafka of context 'a' must be HOST:PORT", "'c'");
    assertThat(run("use", "none")).isEqualTo(2);
    assertThat(err.toString()).contains("NAME must be one of []", "'none'");
    assertThat(run("show")).isEqualTo(2);
    assertThat(err.toString()).contains("NAME must be given where no context holds: one of []");
    assertThat(folder.resolve("sluice")).doesNotExist();
  }

  @Test
  void aContextWhosePluginsAreGoneCanBeMended() throws IOException {
    Path plugins = Files.createDirectory(folder.resolve("plugins"));
    assertThat(run("set", "a", "--kafka", "c:3", "--plugins", plugins.toString())).isZero();
    assertThat(run("use", "a")).isZero();
    Files.delete(plugins);
    assertThat(command("run", "list")).isEqualTo(2);
    assertThat(err.toString()).contains("context 'a' must be a directory of jars: " + plugins);
    assertThat(run("remove", "a")).isZero();
  }

  private int run(String... arguments) {
    String[] all = new String[arguments.length + 1];
    all[0] = "context";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    return command(all);
  }

  private int command(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    CommandLine root =
        Sluice.commandLine(
            new GlobalOptions(Map.of("XDG_CONFIG_HOME", folder.toString()), folder), further -> {});
    return root.setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
