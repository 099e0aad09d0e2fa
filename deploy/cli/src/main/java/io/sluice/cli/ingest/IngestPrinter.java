package io.sluice.cli.ingest;

import io.sluice.corpus.document.IngestReport;
import java.io.PrintWriter;
import java.util.Locale;

/** Says what came of an ingest. */
record IngestPrinter(PrintWriter out, PrintWriter err) {
  void summary(String what, IngestReport report, double seconds) {
    out.printf(
        Locale.ROOT,
        "domain %s: %,d %s, %.1f MB in %.1f s (%.1f MB/s); %,d dead letters;"
            + " skipped %,d hidden, %,d ignored, %,d binary, %,d empty, %,d known%s%n",
        what,
        report.documents(),
        report.ranges() == 0
            ? "documents"
            : String.format(Locale.ROOT, "records in %,d ranges of files", report.ranges()),
        report.bytes() / 1e6,
        seconds,
        report.bytes() / 1e6 / seconds,
        report.deadLetters(),
        report.skippedHidden(),
        report.skippedIgnored(),
        report.skippedBinary(),
        report.skippedEmpty(),
        report.known(),
        report.ended() ? "; ended" : "");
    report.firstRefusals().forEach(refusal -> err.println("sluice: refused " + refusal));
    if (report.deadLetters() > report.firstRefusals().size()) {
      err.println(
          "sluice: refused " + (report.deadLetters() - report.firstRefusals().size()) + " more");
    }
    out.flush();
    err.flush();
  }

  void buckets(BucketIngest.Report report, String field) {
    for (Buckets.Report bucket : report.buckets()) {
      out.printf(
          Locale.ROOT,
          "  %s: %,d documents, %.1f MB, %s %s to %s%n",
          bucket.domain(),
          bucket.documents(),
          bucket.bytes() / 1e6,
          field,
          bucket.lowest(),
          bucket.highest());
    }
    out.flush();
  }
}
