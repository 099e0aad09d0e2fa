package io.sluice.cli.ingest;

import io.sluice.cli.ingest.corpus.BucketIngest;
import io.sluice.cli.ingest.corpus.Buckets;
import io.sluice.corpus.document.IngestListener;
import io.sluice.corpus.document.IngestReport;
import java.io.PrintWriter;
import java.util.Collection;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ObjDoubleConsumer;

/**
 * Says how far an ingest is, and what came of it.
 *
 * @param quiet no progress
 */
record IngestConsole(PrintWriter out, PrintWriter err, boolean quiet) {
  /**
   * Shows how far something is while it works.
   *
   * @param what is ingested
   * @param total bytes at the end; -1 when unknown
   * @param summary of what came of it, in so many seconds
   */
  <T> T during(
      String what, long total, Function<IngestListener, T> work, ObjDoubleConsumer<T> summary) {
    long start = System.nanoTime();
    T result;
    try (IngestBar bar = IngestBar.open("ingest " + what, total, quiet, err)) {
      result = work.apply(bar);
    }
    summary.accept(result, (System.nanoTime() - start) / 1e9);
    return result;
  }

  /** The same for what goes into one domain. */
  IngestReport during(String domain, long total, Function<IngestListener, IngestReport> work) {
    return during(domain, total, work, (report, seconds) -> summary(domain, report, seconds));
  }

  /** Says what is waited for, or was not done. */
  void say(String notice) {
    err.println("sluice: " + notice);
    err.flush();
  }

  void summary(String what, IngestReport report, double seconds) {
    out.printf(
        Locale.ROOT,
        "domain %s: %s, %.1f MB in %.1f s (%.1f MB/s); %,d dead letters;"
            + " skipped %,d hidden, %,d ignored, %,d binary, %,d empty, %s%,d known%s%n",
        what,
        written(report),
        report.bytes() / 1e6,
        seconds,
        report.bytes() / 1e6 / seconds,
        report.deadLetters(),
        report.skippedHidden(),
        report.skippedIgnored(),
        report.skippedBinary(),
        report.skippedEmpty(),
        report.ofOthers() == 0
            ? ""
            : String.format(Locale.ROOT, "%,d of other domains, ", report.ofOthers()),
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

  /** Says what it takes to read the files that the corpora name. */
  void referred(Collection<IngestReport> reports) {
    if (reports.stream().allMatch(report -> report.ranges() == 0)) {
      return;
    }
    out.println(
        "the service reads these files itself: start it with a --source-root at or above each;"
            + " 'sluice up' and 'sluice deadletter list' tell what it refuses");
    out.flush();
  }

  private static String written(IngestReport report) {
    long copied = report.documents() - report.referred();
    String documents = String.format(Locale.ROOT, "%,d documents", copied);
    if (report.ranges() == 0) {
      return documents;
    }
    return String.format(
        Locale.ROOT,
        "%s%,d records in %,d ranges of files",
        copied == 0 ? "" : documents + " and ",
        report.referred(),
        report.ranges());
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
