package io.sluice.jobs.prepare.read;

import io.sluice.control.line.RefusedException;
import io.sluice.corpus.range.FileRange;
import io.sluice.corpus.range.RangeReader;
import io.sluice.corpus.record.FileRecord;
import io.sluice.corpus.record.RecordDocuments;
import io.sluice.corpus.tokens.TokenIds;
import io.sluice.corpus.tokens.TokenLayout;
import io.sluice.corpus.tokens.TokenSource;
import io.sluice.corpus.tokens.TokenType;
import io.sluice.jobs.prepare.log.Decisions;
import io.sluice.jobs.prepare.read.CorpusReader.Reading;
import io.sluice.jobs.prepare.record.DomainEvent.RangeRefused;
import io.sluice.jobs.prepare.tokenizer.Tokenizer;
import io.sluice.schema.DocumentRange;
import io.sluice.schema.Limits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecordBase;

/**
 * The documents that a corpus names by ranges of files. What is no document in a file is refused by
 * itself; a range whose file is not what it was is refused as a whole, and so is, without looking,
 * one of which that was decided before.
 */
final class RangeDocuments implements AutoCloseable {
  /** Texts and their tokens take so much of the memory at least, whatever the range says. */
  private static final long MOST_COUNTED = 64L << 20;

  private final RangeReader files;
  private final Map<String, Decisions> decided;
  private final TokenSource dataset;

  /**
   * @param tokenizer of the dataset
   * @param decided which ranges of each domain were refused before
   */
  RangeDocuments(RangeReader files, Tokenizer tokenizer, Map<String, Decisions> decided) {
    this.files = files;
    this.decided = decided;
    this.dataset =
        new TokenSource(
            tokenizer.identity(),
            new TokenIds(tokenizer.vocabulary().size(), tokenizer.vocabulary().tokenWidth()),
            new TokenLayout(
                TokenType.INT64,
                Optional.empty(),
                "id",
                tokenizer.vocabulary().endOfDocument(),
                1));
  }

  /**
   * Begins a range, in its turn.
   *
   * @param documents makes a reading of a document, on any thread
   */
  Task begin(
      String domain,
      long offset,
      DocumentRange said,
      Function<SpecificRecordBase, Reading> documents) {
    FileRange range;
    try {
      range = FileRange.of(said, dataset);
    } catch (RefusedException e) {
      return Task.of(new Reading.Refused(Optional.of(domain), String.valueOf(e.getMessage())));
    }
    if (isRefused(domain, offset)) {
      return Task.of(
          new Reading.Lost(
              lost(domain, offset, range, range + " was refused when it was read first")));
    }
    Callable<List<FileRecord>> reading = files.begin(range);
    RecordDocuments records =
        new RecordDocuments(range.reading(), Optional.empty(), range.source(), range.location());
    return new Task(
        Math.min(range.bytes(), MOST_COUNTED),
        () -> {
          try {
            return all(domain, reading.call(), records, documents);
          } catch (RefusedException e) {
            return new Reading.Lost(lost(domain, offset, range, String.valueOf(e.getMessage())));
          }
        });
  }

  /** Whether a range was refused before. */
  boolean isRefused(String domain, long offset) {
    return decided.getOrDefault(domain, Decisions.none()).refusedRanges().has(offset + 1);
  }

  @Override
  public void close() throws IOException {
    files.close();
  }

  private static RangeRefused lost(String domain, long offset, FileRange range, String reason) {
    return new RangeRefused(domain, offset, range.records(), Limits.shortened(reason, Limits.TEXT));
  }

  private static Reading all(
      String domain,
      List<FileRecord> found,
      RecordDocuments records,
      Function<SpecificRecordBase, Reading> documents) {
    List<Reading> readings = new ArrayList<>();
    for (FileRecord each : found) {
      try {
        Reading reading = records.of(each).map(documents).orElse(null);
        if (reading instanceof Reading.Refused refused) {
          readings.add(inFile(domain, records, each, refused.reason()));
        } else if (reading != null) {
          readings.add(reading);
        }
      } catch (RefusedException e) {
        readings.add(inFile(domain, records, each, String.valueOf(e.getMessage())));
      }
    }
    return new Reading.Several(readings);
  }

  private static Reading inFile(
      String domain, RecordDocuments records, FileRecord refused, String reason) {
    long line = records.reading().isWhole() ? 0 : refused.number();
    return new Reading.RefusedInFile(domain, records.origin(), line, reason, refused.payload());
  }
}
