package io.sluice.corpus.document;

import io.sluice.control.line.RefusedException;
import io.sluice.corpus.file.Format;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The records of one file, its lines or rows: which of them are new, and whether more of them are
 * wanted. A file whose first {@value #HOPELESS} records are all refused is not read on.
 */
final class FileRecords {
  static final int HOPELESS = 100;

  private final String origin;
  private final Format format;
  private final FilePassage passage;
  private final Tally tally;
  private final DocumentWork work;
  private final long refusedBefore;
  private boolean over;
  private @Nullable RefusedException changed;

  /** Takes the next record of a passage; see {@link FilePassage#isNew}. */
  @FunctionalInterface
  interface Step {
    boolean isNew(FilePassage passage) throws RefusedException;
  }

  /** Those of a file that begins now; nothing else is at work. */
  FileRecords(String origin, Format format, FilePassage passage, Tally tally, DocumentWork work) {
    this.origin = origin;
    this.format = format;
    this.passage = passage;
    this.tally = tally;
    this.work = work;
    this.refusedBefore = tally.refused();
  }

  /** Whether nothing more of the file can be used. */
  boolean areOver() {
    return over;
  }

  /**
   * Adds the next.
   *
   * @param bytes of the record, for a dead letter
   * @param step of the passage, in the record's turn
   * @param maker of its document, on any thread
   */
  void add(long number, byte[] bytes, Step step, DocumentWork.Maker maker) {
    if (passage.isKnown(number)) {
      work.add(() -> () -> take(number, step, tally::skipKnown), bytes.length);
      return;
    }
    work.add(
        () -> {
          Runnable made = work.made(origin, number, bytes, maker);
          return () -> take(number, step, made);
        },
        bytes.length);
  }

  /**
   * Takes what was added.
   *
   * @throws RefusedException if the file is not what it was
   */
  void end() throws RefusedException {
    work.drain();
    if (changed != null) {
      throw changed;
    }
  }

  private void take(long number, Step step, Runnable made) {
    if (over) {
      return;
    }
    try {
      if (step.isNew(passage)) {
        made.run();
      } else {
        tally.skipKnown();
      }
    } catch (RefusedException e) {
      changed = e;
      over = true;
      return;
    }
    if (number == HOPELESS && tally.refused() - refusedBefore == HOPELESS) {
      over = true;
      tally.giveUp(origin, HOPELESS + 1, hopeless(format));
    }
  }

  /** Why a file is not read on, of which the first {@value #HOPELESS} lines or rows are refused. */
  static String hopeless(Format format) {
    return "the rest is not read, since none of the first "
        + HOPELESS
        + (format == Format.LINES || format == Format.JSONL
            ? " lines could be used as "
            : " rows could be used as ")
        + format.name().toLowerCase(Locale.ROOT);
  }
}
