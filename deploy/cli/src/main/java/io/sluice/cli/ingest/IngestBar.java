package io.sluice.cli.ingest;

import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** A progress bar on standard error; invisible when that is no terminal or nobody wants it. */
final class IngestBar implements AutoCloseable {
  private static final long MEGABYTE = 1_000_000;

  private final @Nullable ProgressBar bar;

  private IngestBar(@Nullable ProgressBar bar) {
    this.bar = bar;
  }

  /**
   * Opens a bar.
   *
   * @param total bytes at the end; -1 when unknown
   */
  static IngestBar open(String task, long total, boolean quiet) {
    if (quiet || System.console() == null) {
      return new IngestBar(null);
    }
    return new IngestBar(
        new ProgressBarBuilder()
            .setTaskName(task)
            .setInitialMax(total)
            .setUnit(" MB", MEGABYTE)
            .showSpeed()
            .setStyle(ProgressBarStyle.ASCII)
            .build());
  }

  void advance(long bytes) {
    if (bar != null) {
      bar.stepBy(bytes);
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
