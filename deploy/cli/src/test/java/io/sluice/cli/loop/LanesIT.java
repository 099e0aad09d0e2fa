package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.audit.AuditReport;
import io.sluice.cli.audit.Auditor;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A dataset of two lanes, each read by a split of its own. */
class LanesIT {
  private static final int BATCHES = 60;

  @TempDir private Path directory;

  @Test
  void lanesTogetherGiveOneExactStreamAlsoAfterRestarts() {
    try (TestingService service = new TestingService(directory, 2, 2)) {
      service.ingest("large", 2000, true);
      service.ingest("medium", 600, true);
      service.ingest("small", 60, true);
      AuditReport undisturbed = train(service, "first", false);
      AuditReport restarted = train(service, "second", true);
      assertThat(restarted.digest()).isEqualTo(undisturbed.digest());
    }
  }

  private static AuditReport train(TestingService service, String name, boolean restarts) {
    try (ScriptedTrainer trainer =
        new ScriptedTrainer(service.kafka, service.start(service.velocitune(name, BATCHES)))) {
      if (restarts) {
        trainer.train(15, 10, LanesIT::losses);
        service.mix().checkpoint();
        trainer.train(25, 10, LanesIT::losses);
        service.mix().cancel();
        service.submitMix(service.flink().latestCheckpoint("mix"));
        trainer.train(40, 10, LanesIT::losses);
        service.mix().cancel();
        service.submitMix(Optional.empty());
      }
      trainer.train(BATCHES, 10, LanesIT::losses);
    }
    AuditReport audit = Auditor.audit(service.kafka, name);
    assertThat(audit.violations()).isEmpty();
    assertThat(audit.sequences()).isEqualTo(16 * BATCHES);
    return audit;
  }

  private static double losses(long step, String domain) {
    return 4 - step * (domain.equals("medium") ? .001 : .02);
  }
}
