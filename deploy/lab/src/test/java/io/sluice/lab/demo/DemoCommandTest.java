package io.sluice.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.Sluice;
import io.sluice.cli.options.GlobalOptions;
import io.sluice.lab.Lab;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class DemoCommandTest {
  @TempDir Path home;

  @Test
  void refusesARecipeThatThereIsNot() {
    assertThat(refused("demo", "--recipe", "x"))
        .startsWith("sluice: --recipe must be one of syne, dga: 'x'");
  }

  @Test
  void refusesOptionsThatARecipeHasNoUseFor() {
    assertThat(refused("--prefix", "p.", "demo", "--recipe", "dga", "--steps=9", "--port=0"))
        .startsWith("sluice: --steps, --prefix must not stand with --recipe");
  }

  private String refused(String... arguments) {
    CommandLine command = Sluice.commandLine(new GlobalOptions(Map.of(), home), Lab::addTo);
    StringWriter err = new StringWriter();
    command.setErr(new PrintWriter(err));
    assertThat(command.execute(arguments)).isEqualTo(2);
    return err.toString();
  }
}
