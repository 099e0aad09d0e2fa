package io.sluice.cli.completion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.sluice.cli.Sluice;
import io.sluice.cli.options.GlobalOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The script as real shells read it. */
class CompletionCommandTest {
  @TempDir private Path folder;

  @Test
  void bashCompletesCommandsAndOptions() throws Exception {
    assertThat(completed("bash", "sluice", "ru")).containsExactly("run");
    assertThat(completed("bash", "sluice", "")).contains("up", "doctor", "context", "completion");
    assertThat(completed("bash", "sluice", "run", "sh")).containsExactly("show");
    assertThat(completed("bash", "sluice", "run", "show", "--js")).containsExactly("--json");
    assertThat(completed("bash", "sluice", "run", "show", "--c")).contains("--context");
    assertThat(completed("bash", "sluice", "doctor", "--t")).containsExactly("--timeout");
    assertThat(completed("bash", "/opt/sluice", "deadletter", "re")).containsExactly("retry");
    assertThat(completed("bash", "./sluice", "deadletter", "re")).containsExactly("retry");
  }

  @Test
  void bashIsToldOfTheCommandOnThePathAndInACheckout() throws Exception {
    String told = run("bash", "source '" + script("bash") + "'; complete -p sluice ./sluice");
    assertThat(told.lines())
        .containsExactly(
            "complete -o default -F _complete_sluice sluice",
            "complete -o default -F _complete_sluice ./sluice");
  }

  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh"})
  void theScriptIsSourcedWithoutAWord(String shell) throws Exception {
    assumeThat(found(shell)).as("%s is installed", shell).isTrue();
    assertThat(run(shell, "source '" + script(shell) + "'")).isEmpty();
  }

  @Test
  void anotherShellIsBadUsage() {
    StringWriter err = new StringWriter();
    assertThat(sluice(new StringWriter(), err, "fish")).isEqualTo(2);
    assertThat(err.toString()).contains("SHELL").contains("fish");
  }

  /** What bash would offer for the last of the words; compopt works in its own hands only. */
  private List<String> completed(String shell, String... words) throws Exception {
    String all = "'" + String.join("' '", words) + "'";
    return run(
            shell,
            "source '%s'; compopt() { :; }; COMP_WORDS=(%s); COMP_CWORD=%d; _complete_sluice; printf '%%s\\n' \"${COMPREPLY[@]}\""
                .formatted(script(shell), all, words.length - 1))
        .lines()
        .map(String::strip)
        .toList();
  }

  private Path script(String shell) throws IOException {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    assertThat(sluice(out, err, shell)).as(err.toString()).isZero();
    return Files.writeString(folder.resolve("sluice." + shell), out.toString());
  }

  private int sluice(StringWriter out, StringWriter err, String shell) {
    return Sluice.commandLine(new GlobalOptions(Map.of(), folder), further -> {})
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute("completion", shell);
  }

  private static boolean found(String shell) {
    return Files.isExecutable(Path.of("/usr/bin", shell))
        || Files.isExecutable(Path.of("/bin", shell));
  }

  private String run(String shell, String script) throws Exception {
    Path said = folder.resolve("said");
    Process process =
        new ProcessBuilder(shell, "-c", script)
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    assertThat(process.waitFor()).isZero();
    return Files.readString(said, StandardCharsets.UTF_8);
  }
}
