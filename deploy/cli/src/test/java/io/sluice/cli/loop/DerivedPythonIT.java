package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.audit.AuditReport;
import io.sluice.control.audit.Auditor;
import io.sluice.control.digest.DigestReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A trainer in Python of a run without a stream, next to one of the same run with one. */
class DerivedPythonIT {
  private static final int FIRST = 12;
  private static final int LAST = 30;
  private static final int BATCH = 16;

  @TempDir private Path directory;

  @Test
  void takesTheSameRowsAndResumesWhereItWas() throws IOException {
    TestingPython.require("confluent_kafka", "fastavro", "numpy");
    try (StoredRuns runs = new StoredRuns(directory)) {
      runs.apply("streamed", "tokens");
      runs.apply("derived", "derived");
      List<String> streamed = taken(runs, "streamed", LAST);
      assertThat(streamed).hasSize(LAST * BATCH);
      assertThat(taken(runs, "derived", FIRST)).isEqualTo(streamed.subList(0, FIRST * BATCH));
      assertThat(taken(runs, "derived", LAST))
          .isEqualTo(streamed.subList(FIRST * BATCH, LAST * BATCH));
      for (String run : List.of("streamed", "derived")) {
        AuditReport report = Auditor.audit(runs.service.kafka, run);
        assertThat(report.violations()).isEmpty();
        assertThat(report.digests()).isEqualTo(new DigestReport(LAST, LAST, 0, 0, 0, 0));
      }
    }
  }

  private List<String> taken(StoredRuns runs, String run, int last) throws IOException {
    List<String> arguments =
        List.of(
            "--bootstrap",
            runs.service.kafka.bootstrapServers(),
            "--run",
            run,
            "--last",
            Integer.toString(last),
            "--state",
            directory.resolve(run + ".json").toString());
    return TestingPython.live("taken.py", arguments).lines().toList();
  }
}
