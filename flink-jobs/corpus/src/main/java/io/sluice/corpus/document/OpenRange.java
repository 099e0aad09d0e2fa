package io.sluice.corpus.document;

import io.sluice.corpus.file.Content;
import io.sluice.corpus.file.SourceFile;
import io.sluice.corpus.range.FileRange;
import io.sluice.corpus.record.FileRecord;
import io.sluice.corpus.record.RecordDigest;
import io.sluice.corpus.record.RecordReading;

/** A range of a file to which records are added. */
final class OpenRange {
  /** Bytes beyond which a range takes no other record: a piece of work of a tenth of a second. */
  private static final long BYTES = 1L << 20;

  private final SourceFile source;
  private final RecordReading reading;
  private final long passed;
  private final long begin;
  private final RecordDigest digest = new RecordDigest();
  private int records;
  private long bytes;

  /**
   * One without records yet.
   *
   * @param passed records before it
   * @param begin its place in the file's content, if records are lines
   */
  OpenRange(SourceFile source, RecordReading reading, long passed, long begin) {
    this.source = source;
    this.reading = reading;
    this.passed = passed;
    this.begin = begin;
  }

  boolean isEmpty() {
    return records == 0;
  }

  /** Whether a record of so many bytes belongs to the next range. */
  boolean isFull(long next) {
    return records > 0 && (bytes + next > BYTES || records == FileRange.MOST_RECORDS);
  }

  void add(FileRecord next, long size) {
    next.addTo(digest);
    records++;
    bytes += size;
  }

  FileRange closed() {
    boolean plain =
        (reading.isLines() || reading.isWhole()) && !Content.isCompressed(source.file().name());
    // A file may grow while it is read.
    long fileBytes = Math.max(source.bytes(), plain ? begin + bytes : 1);
    return new FileRange(
        source.file().location(),
        source.id(),
        reading,
        source.file().version(),
        fileBytes,
        passed,
        records,
        begin,
        bytes,
        digest.hash());
  }
}
