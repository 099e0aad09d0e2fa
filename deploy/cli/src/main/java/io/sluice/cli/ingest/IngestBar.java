package io.sluice.cli.ingest;

import io.sluice.corpus.document.IngestListener;
import java.io.PrintWriter;
import java.util.Locale;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * How far an ingest is, on standard error: a bar with the time that is left, or a line from time to
 * time where that is no terminal; nothing if nobody wants it.
 */
final class IngestBar implements IngestListener, AutoCloseable {
  private static final long MEGABYTE = 1_000_000;
  private static final int DOCUMENTS = 1000;

  private final @Nullable ProgressBar bar;
  private final @Nullable PrintWriter lines;
  private final IngestRate rate;

  private IngestBar(@Nullable ProgressBar bar, @Nullable PrintWriter lines, IngestRate rate) {
    this.bar = bar;
    this.lines = lines;
    this.rate = rate;
  }

  /**
   * Opens a bar.
   *
   * @param total bytes at the end; -1 when unknown
   * @param err where lines go
   */
  static IngestBar open(String task, long total, boolean quiet, PrintWriter err) {
    IngestRate rate = new IngestRate(task, total, System::nanoTime);
    if (quiet) {
      return new IngestBar(null, null, rate);
    }
    if (System.console() == null) {
      return new IngestBar(null, err, rate);
    }
    return new IngestBar(
        new ProgressBarBuilder()
            .setTaskName(task)
            .setInitialMax(total)
            .setUnit(" MB", MEGABYTE)
            .showSpeed()
            .setStyle(ProgressBarStyle.ASCII)
            .build(),
        null,
        rate);
  }

  @Override
  public void accept(long bytes) {
    rate.read(bytes).ifPresent(this::say);
    if (bar != null) {
      bar.stepBy(bytes);
    }
  }

  @Override
  public void document() {
    rate.document();
    if (bar != null && rate.documents() % DOCUMENTS == 0) {
      bar.setExtraMessage(String.format(Locale.ROOT, "%,d documents", rate.documents()));
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }

  private void say(String line) {
    if (lines != null) {
      lines.println("sluice: " + line);
      lines.flush();
    }
  }
}
