package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.GlobalOptions;
import io.sluice.cli.run.ManageRunsCommand;
import io.sluice.client.error.RunEndedException;
import io.sluice.client.run.RunDirectory;
import io.sluice.client.run.RunInfo;
import io.sluice.control.audit.AuditReport;
import io.sluice.control.audit.Auditor;
import io.sluice.control.history.RunHistory;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.mixture.log.RunPhase;
import io.sluice.service.Patience;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** An estimation run ends when its targets have settled, and a later run takes them from it. */
class TargetsFromRunIT {
  private static final int SEQUENCES = 16;
  private static final int LENGTH = 32;

  @TempDir private static Path directory;

  private static TestingService service;

  @BeforeAll
  static void start() {
    service = new TestingService(directory);
    new DatasetCatalog(service.kafka).publish(service.dataset);
    service.fill();
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  @Test
  void aRunTakesItsTargetsFromOneThatEstimatedThem() throws IOException {
    RunInfo proxy =
        service.start(
            service.deciding(
                "proxy", 200, "estimate-targets", Map.of("sigma", "1e-4", "cap", "0.9"), 5));
    Path file = Files.writeString(directory.resolve("main.yaml"), mainRun());
    assertThat(apply(file).error()).contains("targets must be from a run that has ended: proxy");
    try (ScriptedTrainer trainer = new ScriptedTrainer(service.kafka, proxy)) {
      assertThatThrownBy(() -> trainer.train(200, 5, TargetsFromRunIT::loss))
          .isInstanceOf(RunEndedException.class)
          .hasMessageContaining("is completed (");
      assertThat(trainer.batches()).hasSizeBetween(20, 100);
    }
    Patience.await(
        Duration.ofMinutes(1), () -> phase("proxy"), phase -> phase == RunPhase.COMPLETED);
    Said applied = apply(file);
    assertThat(applied.error()).isEmpty();
    RunInfo run = RunDirectory.find(service.kafka, "main", Patience.MINUTE);
    for (String domain : Testbed.DOMAINS) {
      double target = Double.parseDouble(run.spec().getPolicySettings().get("targets." + domain));
      assertThat(target).isCloseTo(loss(60, domain), within(2e-3));
      assertThat(applied.out())
          .contains("target of %s from proxy: %.4f (95 %% interval ".formatted(domain, target));
    }
    try (ScriptedTrainer trainer = new ScriptedTrainer(service.kafka, run)) {
      trainer.train(60, 10, TargetsFromRunIT::lateMedium);
    }
    RunHistory history = RunHistory.read(service.kafka, "main");
    assertThat(history.rounds()).hasSize(5);
    double[] last = history.versions().get(5).weights().shares();
    assertThat(last[1]).isGreaterThan(last[0] + .1).isGreaterThan(last[2] + .1);
    for (String name : new String[] {"proxy", "main"}) {
      AuditReport audit = Auditor.audit(service.kafka, name);
      assertThat(audit.violations()).as(name).isEmpty();
    }
  }

  private static String mainRun() {
    return """
        run: main
        dataset: data
        batch: 16 sequences
        batches: 60
        initial-weights: uniform
        policy: {velocitune: {every: 10, targets: {from-run: proxy}}}
        when-ended: {default: {repeat: 1000}}
        """;
  }

  /** A law of all tokens trained on, another one for each domain. */
  private static double loss(long step, String domain) {
    double tokens = (double) step * SEQUENCES * LENGTH;
    double floor = 1 + Testbed.DOMAINS.indexOf(domain) * .3;
    return step == 0 ? 5 : floor + 9 * Math.pow(tokens, -.3);
  }

  /** The same but of one domain, which learns nothing. */
  private static double lateMedium(long step, String domain) {
    return domain.equals("medium") ? 5 : loss(step, domain);
  }

  private static RunPhase phase(String run) {
    return RunHistory.read(service.kafka, run).state().phase();
  }

  private record Said(String out, String error) {}

  private static Said apply(Path file) {
    StringWriter out = new StringWriter();
    StringWriter error = new StringWriter();
    Map<String, String> environment = Map.of("SLUICE_KAFKA", service.kafka.bootstrapServers());
    new CommandLine(new ManageRunsCommand())
        .addMixin(CliCommand.GLOBAL, new GlobalOptions(environment, directory))
        .setOut(new PrintWriter(out, true))
        .setExecutionExceptionHandler(
            (failure, command, parsed) -> {
              error.append(failure.getMessage());
              return 2;
            })
        .execute("apply", "-f", file.toString());
    return new Said(out.toString(), error.toString());
  }
}
