package io.sluice.jobs.prepare.read;

import io.sluice.control.error.BadInputException;
import io.sluice.control.error.UnreachableException;
import io.sluice.corpus.range.SourceFailedException;
import io.sluice.corpus.range.SourceRoots;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.jobs.prepare.log.KafkaSupplyLog;
import io.sluice.jobs.prepare.log.SupplyLog;
import io.sluice.jobs.prepare.read.CorpusReader.Reading;
import io.sluice.jobs.prepare.tokenizer.Tokenizer;
import io.sluice.jobs.prepare.tokenizer.TokenizerStore;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.DocumentRange;
import io.sluice.schema.KafkaAccess;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecordBase;

/** The documents that a dataset has of ranges of files, without their tokens. */
public final class ReferredDocuments implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Reading TAKEN = new Reading.Refused(Optional.empty(), "");

  private final RangeDocuments ranges;

  ReferredDocuments(RangeDocuments ranges) {
    this.ranges = ranges;
  }

  /**
   * Those of a dataset.
   *
   * @param roots below which files are read
   */
  public static ReferredDocuments open(KafkaAccess kafka, DatasetSpec dataset, SourceRoots roots) {
    SupplyLog log = new KafkaSupplyLog(PATIENCE);
    try (Tokenizer tokenizer = DatasetSpecs.tokenizer(dataset, TokenizerStore.of(kafka))) {
      return new ReferredDocuments(new CorpusSources(roots, log).open(kafka, dataset, tokenizer));
    }
  }

  /**
   * Reads a range; of one that was refused there are no documents, now or later.
   *
   * @throws BadInputException if it does not hold, though nobody has refused it: its documents may
   *     be in blocks
   * @throws UnreachableException if its file cannot be read now
   */
  public void read(
      String domain, long offset, DocumentRange range, Consumer<SpecificRecordBase> documents) {
    if (ranges.isRefused(domain, offset)) {
      return;
    }
    try {
      Reading reading =
          ranges
              .begin(
                  domain,
                  offset,
                  range,
                  document -> {
                    documents.accept(document);
                    return TAKEN;
                  })
              .reading()
              .call();
      if (reading instanceof Reading.Lost lost) {
        throw new BadInputException(
            "the documents of a range of '"
                + domain
                + "' cannot be told, and may be in blocks: "
                + lost.event().reason());
      }
    } catch (SourceFailedException e) {
      throw new UnreachableException(String.valueOf(e.getMessage()), e);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws IOException {
    ranges.close();
  }
}
