package io.sluice.cli.ingest;

import io.sluice.cli.ingest.corpus.BucketIngest;
import io.sluice.control.error.BadInputException;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.corpus.file.Format;
import io.sluice.corpus.file.SourceFiles;
import io.sluice.corpus.store.FileStores;
import io.sluice.corpus.store.S3Settings;
import io.sluice.schema.KafkaAccess;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of an ingest that cuts the documents into domains by their scores. */
final class BucketOptions {
  private static final int MOST_BUCKETS = 1000;

  @Option(
      names = "--buckets",
      paramLabel = "N",
      description =
          "Cut the documents by --by into N domains of about equal bytes, NAME-b0 with the lowest"
              + " scores to NAME-b<N-1>, for a curriculum; 2 to 1000.")
  private @Nullable Integer buckets;

  @Option(
      names = "--by",
      paramLabel = "FIELD",
      description = "The field of each JSON line that holds its score, such as its perplexity.")
  private @Nullable String scoreField;

  boolean given() {
    return buckets != null || scoreField != null;
  }

  /**
   * Ingests into the buckets of a domain.
   *
   * @param access asked for once the options are known to go together
   * @param standardInput whether the paths are that
   * @throws BadInputException if the options do not go together
   */
  BucketIngest.Report ingest(
      Supplier<KafkaAccess> access,
      String domain,
      List<String> paths,
      boolean standardInput,
      InputOptions input,
      IntoOptions into,
      IngestConsole console) {
    Integer count = buckets;
    String field = scoreField;
    if (count == null || field == null || count < 2 || count > MOST_BUCKETS) {
      throw new BadInputException(
          "--buckets must be in [2, " + MOST_BUCKETS + "], with --by: " + count + ", " + field);
    }
    if (paths.isEmpty() || standardInput) {
      throw new BadInputException("PATH must be files for --buckets, which are read twice");
    }
    Format format = input.format();
    if (input.areTokens() || (format != Format.AUTO && format != Format.JSONL)) {
      throw new BadInputException(
          "--format must be jsonl for --buckets: " + format.name().toLowerCase(Locale.ROOT));
    }
    IngestSettings settings = input.scored(access, domain, field);
    try (FileStores stores = new FileStores(S3Settings.usual(console::say))) {
      SourceFiles files = SourceFiles.below(stores, paths, settings.gitignore());
      BucketIngest.Report report =
          console.during(
              domain,
              2 * files.bytes(),
              bar ->
                  new BucketIngest(access.get(), settings, count, bar, input.threads())
                      .files(files, into.create(), into.end()),
              (its, seconds) -> console.summary(domain + "-b*", its.all(), seconds));
      console.buckets(report, field);
      return report;
    }
  }
}
