package io.sluice.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.BadInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContextFileTest {
  private static final Context WHOLE =
      new Context(
          "whole",
          "a:1,[::1]:2",
          Optional.of("team.:shared."),
          Optional.of(Path.of("/etc/a \"b\" #c: d.properties")),
          Optional.of(Path.of("/opt/plugins")));
  private static final Context BARE =
      new Context("123", "a:1", Optional.empty(), Optional.empty(), Optional.empty());

  @TempDir private Path folder;
  private ContextFile contexts;
  private Path file;

  @BeforeEach
  void locate() {
    contexts = ContextFile.of(Map.of("XDG_CONFIG_HOME", folder.toString(), "HOME", "/nowhere"));
    file = folder.resolve("sluice/contexts.yaml");
  }

  @Test
  void whatIsWrittenIsRead() throws IOException {
    assertThat(contexts.read()).isEqualTo(Contexts.NONE);
    Contexts both = Contexts.NONE.with(WHOLE).with(BARE).using("123");
    contexts.write(both);
    assertThat(contexts.read()).isEqualTo(both);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    contexts.write(both.without("123").without("whole"));
    assertThat(contexts.read()).isEqualTo(Contexts.NONE);
    try (var left = Files.list(file.getParent())) {
      assertThat(left).containsExactly(file);
    }
  }

  @Test
  void aLinkStaysOne() throws IOException {
    Path elsewhere = Files.writeString(folder.resolve("dotfile.yaml"), "contexts: {}\n");
    Files.createDirectories(file.getParent());
    Files.createSymbolicLink(file, elsewhere);
    contexts.write(Contexts.NONE.with(BARE));
    assertThat(file).isSymbolicLink();
    assertThat(elsewhere).content().contains("  123:\n    kafka: \"a:1\"\n");
  }

  @Test
  void theHomeIsWhereItIsWithoutAnAbsoluteFolderOfSettings() {
    assertThat(ContextFile.of(Map.of("XDG_CONFIG_HOME", "relative", "HOME", "/home/me")).place())
        .contains(Path.of("/home/me/.config/sluice/contexts.yaml"));
    ContextFile nowhere = ContextFile.of(Map.of());
    assertThat(nowhere.read()).isEqualTo(Contexts.NONE);
    assertThatThrownBy(() -> nowhere.write(Contexts.NONE))
        .isInstanceOf(BadInputException.class)
        .hasMessage("contexts are kept below $XDG_CONFIG_HOME or $HOME: neither is set");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          contexts: {a: {}} | : 'contexts.a.kafka' is missing
          contexts: {a: {kafka: nonsense}} | : 'contexts.a.kafka' must be HOST:PORT, or several with commas between: found 'nonsense'
          contexts: {a: {kafka: 'b:70000'}} | : 'contexts.a.kafka' must be HOST:PORT, or several with commas between: found 'b:70000'
          contexts: {a: {kafka: 'b:1', prefix: a/b}} | : 'contexts.a.prefix' must be at most 64 letters, digits, '.', '_' or '-', or two such with a ':' between: found 'a/b'
          contexts: {a: {kafka: 'b:1', kafka-config: x}} | : 'contexts.a.kafka-config' must be an absolute path: found 'x'
          contexts: {a: {kafka: 'b:1', plugins: [x]}} | : 'contexts.a.plugins' must be a text: found
          contexts: {a: {kafka: 'b:1', password: x}} | : unknown key 'contexts.a.password'
          contexts: {a: 7} | : 'contexts.a' must be a map of keys to values: found '7'
          contexts: {a/b: {kafka: 'b:1'}} | : 'contexts.a/b' must be named by 1 to 63 letters, digits, '_' or '-': found 'a/b'
          contexts: 7 | : 'contexts' must be a map of keys to values: found '7'
          current: b | : 'current' must be one of []: found 'b'
          else: 7 | : unknown key 'else'; known here: contexts, current
          - a | must be a map of keys to values
          """)
  void whatIsWrongIsNamedWithItsKey(String text, String message) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text + "\n");
    assertThatThrownBy(contexts::read)
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining(message);
  }
}
