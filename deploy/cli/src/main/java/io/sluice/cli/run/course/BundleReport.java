package io.sluice.cli.run.course;

import io.sluice.control.bundle.BundleFile;
import io.sluice.schema.RunBundle;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * What a bundle has.
 *
 * @param batches last batch of it
 * @param entries of the run's log, which decide the batches
 * @param reports of trainers
 * @param digests batches whose sequences can be compared
 * @param bytes of the file
 */
public record BundleReport(
    String run,
    String runId,
    String file,
    String release,
    long batches,
    long entries,
    long reports,
    long digests,
    long bytes,
    String sha256) {
  /** Of a file. */
  public static BundleReport of(BundleFile written, Path file) {
    RunBundle head = written.bundle().head();
    return new BundleReport(
        head.getRun(),
        head.getRunId(),
        file.toString(),
        head.getRelease(),
        head.getGranted(),
        head.getEntries(),
        head.getReports(),
        head.getBatches(),
        written.bytes(),
        written.sha256());
  }

  /** For people. */
  public List<String> lines() {
    return List.of(
        String.format(
            Locale.ROOT,
            "run %s up to batch %d is in %s: %,d entries, %,d reports, digests of %,d batches; %,d"
                + " bytes, sha256 %s",
            run,
            batches,
            file,
            entries,
            reports,
            digests,
            bytes,
            sha256));
  }
}
