package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.client.run.RunInfo;
import io.sluice.control.audit.AuditReport;
import io.sluice.control.audit.Auditor;
import io.sluice.schema.Topics;
import io.sluice.service.broker.ThreeBrokers;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One of three brokers is killed. The run that it led is led by another; one of which it has the
 * only copy waits until it is back; a third one never notices.
 */
class LeaderAwayIT {
  private static final int KILLED = 3;

  @TempDir private Path directory;

  @Test
  void runsWaitForTheirLeadersAloneAlsoWhenTheJobStartsMeanwhile() {
    try (ThreeBrokers brokers = new ThreeBrokers(directory.resolve("brokers"));
        TestingService service = new TestingService(brokers, directory)) {
      service.fill();
      RunInfo led = service.start(service.velocitune("led", 60));
      RunInfo held = service.start(service.velocitune("held", 60));
      RunInfo kept = service.start(service.velocitune("kept", 60));
      try (ScriptedTrainer leading = trainer(service, led);
          ScriptedTrainer holding = trainer(service, held);
          ScriptedTrainer keeping = trainer(service, kept)) {
        Set<String> ofLed = topics(service, led);
        Set<String> ofHeld = topics(service, held);
        brokers.place(
            topic ->
                ofHeld.contains(topic)
                    ? List.of(KILLED)
                    : ofLed.contains(topic) ? List.of(KILLED, 1, 2) : List.of(1, 2, KILLED));
        for (ScriptedTrainer trainer : List.of(leading, holding, keeping)) {
          // Reports of step 20 have gone by the new leaders.
          trainer.train(25, 10, LeaderAwayIT::losses);
        }
        brokers.kill(KILLED);
        keeping.train(40, 10, LeaderAwayIT::losses);
        leading.train(40, 10, LeaderAwayIT::losses);
        assertThat(service.mix().failure()).isEmpty();
        service.mix().cancel();
        service.submitMix(Optional.empty());
        keeping.train(60, 10, LeaderAwayIT::losses);
        leading.train(60, 10, LeaderAwayIT::losses);
        assertThat(service.mix().failure()).isEmpty();
        brokers.restart(KILLED);
        holding.train(60, 10, LeaderAwayIT::losses);
      }
      for (String run : List.of("led", "held", "kept")) {
        AuditReport audit = Auditor.audit(service.kafka, run);
        assertThat(audit.violations()).as(run).isEmpty();
        assertThat(audit.sequences()).as(run).isEqualTo(960);
        assertThat(audit.duplicates()).as(run).isZero();
      }
    }
  }

  /** One that has trained for a while. */
  private static ScriptedTrainer trainer(TestingService service, RunInfo run) {
    return new ScriptedTrainer(service.kafka, run).train(15, 10, LeaderAwayIT::losses);
  }

  /** Those that are one run's alone. */
  private static Set<String> topics(TestingService service, RunInfo run) {
    Topics names = service.kafka.topics();
    return Set.of(names.stream(run.name()), names.feedback(run.name()), names.control(run.runId()));
  }

  private static double losses(long step, String domain) {
    return 4 - step * (domain.equals("medium") ? .001 : .02);
  }
}
