package io.sluice.cli.ingest;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.control.domain.EndedDomains;
import io.sluice.control.error.BadInputException;
import io.sluice.control.error.CheckFailedException;
import io.sluice.corpus.document.IngestReport;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.corpus.file.Format;
import io.sluice.corpus.file.SourceFiles;
import io.sluice.corpus.follow.FollowedFiles;
import io.sluice.corpus.store.FileStores;
import io.sluice.corpus.store.S3Settings;
import io.sluice.service.local.StopSignal;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Reads files into a domain of the corpus. */
@Command(
    name = "ingest",
    description = "Read files into a domain of the corpus.",
    footer = {
      "",
      "A file is one document, unless it is JSONL or Parquet: then each line or row has the"
          + " document's 'text' and perhaps its 'id'. Names ending in .gz and .zst are decompressed. Below"
          + " folders, hidden and binary files are skipped. What cannot be used goes to the dead"
          + " letters. What of files was ingested before is passed over, also where an ingest ended"
          + " early; by --buckets and from standard input it comes again."
    })
public final class IngestCommand extends CliCommand {
  private static final String STANDARD_INPUT = "-";
  private static final int MOST_BUCKETS = 1000;

  /** How long Ctrl-C waits for what was read to be written. */
  private static final Duration STOP_PATIENCE = Duration.ofMinutes(2);

  @Option(names = "--domain", paramLabel = "NAME", description = "The domain.")
  private String domain = "";

  @Option(
      names = "--dataset",
      paramLabel = "NAME",
      description =
          "Read the sources that the dataset names, each into its domains, and no PATH; in place of"
              + " --domain.")
  private @Nullable String dataset;

  @Parameters(
      paramLabel = "PATH",
      description =
          "Files, folders and patterns such as 'wiki/*.jsonl.gz', in this order, on this machine or in"
              + " s3://BUCKET/...; '-' alone for standard input.")
  private List<String> paths = List.of();

  @Mixin private InputOptions input = new InputOptions();

  @Mixin private TopicOptions topics = new TopicOptions();

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

  @Option(
      names = "--by-reference",
      description =
          "Write which files have the documents, not their texts: the service reads them there, under"
              + " the same absolute paths, and must be started with a --source-root above them.")
  private boolean byReference;

  @Option(names = "--create", description = "Make the domain though no dataset names it.")
  private boolean create;

  @Option(
      names = "--take-over",
      description =
          "Go on behind an ingest of the domain that another machine was at, and that has ended"
              + " without saying so.")
  private boolean takeOver;

  @Option(names = "--end", description = "Mark the domain as ended: no document will follow.")
  private boolean end;

  @Mixin private FollowOptions follow = new FollowOptions();

  @Option(
      names = {"-q", "--quiet"},
      description = "No progress bar, and where there is no terminal no lines of progress.")
  private boolean quiet;

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    if (dataset != null) {
      fromSources(dataset);
      return;
    }
    if (domain.isEmpty()) {
      throw misused("--domain or --dataset is missing");
    }
    if (topics.given()) {
      fromTopic();
      return;
    }
    requirePaths();
    boolean fromInput = paths.contains(STANDARD_INPUT);
    if (buckets != null || scoreField != null) {
      intoBuckets(buckets, scoreField);
      return;
    }
    if (paths.isEmpty() && new EndedDomains(access()).has(domain)) {
      print(List.of("domain " + domain + " had its end marker already: nothing was done"));
      return;
    }
    IngestSettings settings = input.settings(domain);
    if (follow.given()) {
      follow(settings);
      return;
    }
    IngestReport report;
    try (FileStores stores = new FileStores(S3Settings.usual(this::say))) {
      report =
          fromInput
              ? ingest(settings, -1, ingest -> ingest.stream(System.in))
              : ingest(settings, SourceFiles.below(stores, paths, settings.gitignore()));
    }
    json.write(report);
    requireSomething(report);
  }

  private void follow(IngestSettings settings) {
    try (FileStores stores = new FileStores(S3Settings.forever(this::say))) {
      FollowedFiles followed = new FollowedFiles(settings.format());
      follow.run(
          () -> {
            SourceFiles due = followed.due(SourceFiles.now(stores, paths, settings.gitignore()));
            if (!due.files().isEmpty()) {
              ingest(settings, due);
            }
          });
    }
  }

  private void fromSources(String name) {
    boolean once = end && follow.given();
    if (!domain.isEmpty()
        || !paths.isEmpty()
        || buckets != null
        || input.given()
        || byReference
        || topics.given()
        || once) {
      throw misused(
          "--dataset needs neither --domain, PATH, --topic, --buckets nor --format and the like, which its"
              + " sources have, and --end no --follow");
    }
    DatasetIngest work =
        new DatasetIngest(access(), name, takeOver, input.threads(), quiet, printer(), this::say);
    if (follow.given()) {
      work.follow(follow);
      return;
    }
    Map<String, IngestReport> reports = work.once(end);
    json.write(reports);
    reports.forEach((its, report) -> requireRead(report, "; see domain " + its));
  }

  private IngestReport ingest(IngestSettings settings, SourceFiles files) {
    return ingest(
        settings,
        files.bytes(),
        ingest -> byReference ? ingest.reference(files) : ingest.files(files));
  }

  private IngestReport ingest(
      IngestSettings settings, long total, Function<CorpusIngest, IngestReport> work) {
    long start = System.nanoTime();
    IngestReport report;
    try (IngestBar bar = IngestBar.open("ingest " + domain, total, quiet, err())) {
      report =
          work.apply(
              new CorpusIngest(access(), settings, create, takeOver, end, bar, input.threads()));
    }
    printer().summary(domain, report, (System.nanoTime() - start) / 1e9);
    return report;
  }

  private void fromTopic() {
    String topic = topics.topic();
    if (topic == null) {
      throw misused("what is said of a topic's brokers and schemas needs --topic");
    }
    if (!paths.isEmpty() || buckets != null || scoreField != null || byReference) {
      throw misused("PATH, --buckets and --by-reference do not go with --topic");
    }
    if (end && follow.given()) {
      throw misused("--end does not go with --follow, after which more may come");
    }
    if (input.areTokens() || input.format() != Format.AUTO) {
      throw misused("--topic-format says what the records of --topic are, not --format");
    }
    IngestSettings settings = input.settings(domain);
    long start = System.nanoTime();
    IngestReport report;
    try (StopSignal stop = StopSignal.install(STOP_PATIENCE, () -> true);
        IngestBar bar = IngestBar.open("ingest " + domain, -1, quiet, err())) {
      report =
          new TopicIngest(
                  access(),
                  topics.source(access()),
                  topic,
                  topics.documents(settings.fields()),
                  topics.reading(settings.fields()),
                  follow.given(),
                  settings,
                  create,
                  takeOver,
                  end,
                  bar,
                  input.threads())
              .run(stop::isGiven);
    }
    printer().summary(domain, report, (System.nanoTime() - start) / 1e9);
    json.write(report);
    if (report.givenUp() > 0) {
      throw new CheckFailedException(
          report.givenUp()
              + " of the inputs could not be used; --topic-format says what records are"
              + (end ? "; the domain is not marked as ended" : ""));
    }
  }

  private void intoBuckets(@Nullable Integer count, @Nullable String field) {
    if (count == null || field == null || count < 2 || count > MOST_BUCKETS) {
      throw new BadInputException(
          "--buckets must be in [2, " + MOST_BUCKETS + "], with --by: " + count + ", " + field);
    }
    if (paths.isEmpty() || paths.contains(STANDARD_INPUT)) {
      throw new BadInputException("PATH must be files for --buckets, which are read twice");
    }
    Format format = input.format();
    if (input.areTokens() || (format != Format.AUTO && format != Format.JSONL)) {
      throw new BadInputException(
          "--format must be jsonl for --buckets: " + format.name().toLowerCase(Locale.ROOT));
    }
    IngestSettings settings = input.scored(domain, field);
    long start = System.nanoTime();
    BucketIngest.Report report;
    try (FileStores stores = new FileStores(S3Settings.usual(this::say))) {
      SourceFiles files = SourceFiles.below(stores, paths, settings.gitignore());
      try (IngestBar bar = IngestBar.open("ingest " + domain, 2 * files.bytes(), quiet, err())) {
        report =
            new BucketIngest(access(), settings, count, bar, input.threads())
                .files(files, create, end);
      }
    }
    printer().summary(domain + "-b*", report.all(), (System.nanoTime() - start) / 1e9);
    printer().buckets(report, field);
    json.write(report);
  }

  private void say(String notice) {
    err().println("sluice: " + notice);
    err().flush();
  }

  /** How else the input could be read; '' where people have said how. */
  private String hint() {
    if (input.format() != Format.AUTO || input.areTokens()) {
      return "";
    }
    return (paths.contains(STANDARD_INPUT) ? "; standard input is read as JSONL" : "")
        + "; --format lines makes each line a document, --format text a whole input";
  }

  private void requirePaths() {
    if (paths.isEmpty() && !end) {
      throw misused("PATH is missing");
    }
    if (byReference && (paths.contains(STANDARD_INPUT) || buckets != null)) {
      throw misused("--by-reference needs files, and goes without --buckets");
    }
    if (paths.contains(STANDARD_INPUT) && paths.size() > 1) {
      throw misused("'-' must be the only PATH");
    }
    boolean once = end || buckets != null || paths.contains(STANDARD_INPUT) || paths.isEmpty();
    if (follow.given() && once) {
      throw misused("--follow needs files as PATH, and neither --end nor --buckets");
    }
  }

  private IngestPrinter printer() {
    return new IngestPrinter(out(), err());
  }

  private void requireSomething(IngestReport report) {
    String unended = end && !report.ended() ? "; the domain is not marked as ended" : "";
    requireRead(report, hint() + unended);
    if (report.documents() > 0 || report.known() > 0 || paths.isEmpty()) {
      return;
    }
    if (report.deadLetters() > 0) {
      throw new CheckFailedException("no document could be used" + hint() + unended);
    }
    throw new BadInputException("PATH must hold at least one text file that is not empty");
  }

  private static void requireRead(IngestReport report, String more) {
    if (report.givenUp() > 0) {
      throw new CheckFailedException(report.givenUp() + " of the inputs could not be used" + more);
    }
  }
}
