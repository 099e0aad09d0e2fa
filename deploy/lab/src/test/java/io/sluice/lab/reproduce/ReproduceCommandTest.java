package io.sluice.lab.reproduce;

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

final class ReproduceCommandTest {
  @TempDir Path directory;

  @Test
  void namesWhatIsOutOfRangeBeforeAnythingStarts() {
    assertRefused(
        "grape",
        "EXPERIMENT must be one of [velocitune, dga, dga-dist, syne, syne-synthetic, ordering, policies, all]");
    assertRefused("dga --corpora wiki", "--corpora must be debian or project: 'wiki'");
    assertRefused("dga --seeds 0", "--seeds must be in [1, 1000]: 0");
    assertRefused("dga --workers 65", "--workers must be in [1, 64]: 65");
    assertRefused("dga --longer 101", "--longer must be in [1, 100]: 101");
    assertRefused("dga --quick --full", "--quick and --full exclude each other");
    assertRefused("dga --device tpu", "--device must be cpu, gpu0, gpu1, …: 'tpu'");
    assertRefused("dga --device gpu99", "--device must be cpu");
    assertThat(directory).isEmptyDirectory();
  }

  private void assertRefused(String arguments, String message) {
    StringWriter said = new StringWriter();
    String[] all = ("reproduce " + arguments + " --out " + directory).split(" ", -1);
    int exit =
        Sluice.commandLine(new GlobalOptions(Map.of(), directory), Lab::addTo)
            .setErr(new PrintWriter(said))
            .execute(all);
    assertThat(exit).isEqualTo(2);
    assertThat(said.toString()).contains(message);
  }
}
