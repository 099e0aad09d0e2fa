package io.sluice.cli.ingest;

import io.sluice.cli.ingest.corpus.BucketIngest;
import io.sluice.cli.ingest.corpus.TopicIngest;
import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.control.domain.EndedDomains;
import io.sluice.corpus.document.IngestReport;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.corpus.file.Format;
import io.sluice.service.local.StopSignal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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

  @Mixin private BucketOptions buckets = new BucketOptions();

  @Option(
      names = "--by-reference",
      description =
          "Write which files have the documents, not their texts: the service reads them there, under"
              + " the same absolute paths or s3:// URLs, and must be started with a --source-root"
              + " above them.")
  private boolean byReference;

  @Mixin private IntoOptions into = new IntoOptions();

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
    } else if (domain.isEmpty()) {
      throw misused("--domain or --dataset is missing");
    } else if (topics.given() || formatOfTopic()) {
      fromTopic();
    } else {
      fromFiles();
    }
  }

  private void fromFiles() {
    requirePaths();
    if (buckets.given()) {
      boolean fromInput = FileIngest.isInput(paths);
      BucketIngest.Report report =
          buckets.ingest(this::access, domain, paths, fromInput, input, into, console());
      json.write(report);
      FileIngest.requireRead(domain + "-bN", report.all(), into.end(), "");
      return;
    }
    if (paths.isEmpty() && new EndedDomains(access()).has(domain)) {
      print(List.of("domain " + domain + " had its end marker already: nothing was done"));
      return;
    }
    IngestSettings settings = input.settings(this::access, domain);
    FileIngest files =
        new FileIngest(
            paths,
            settings,
            byReference,
            bar -> into.ingest(access(), settings, bar, input.threads()),
            hint(),
            console());
    if (follow.given()) {
      files.follow(follow);
      return;
    }
    IngestReport report = files.once();
    json.write(report);
    files.requireSomething(report, into.end());
  }

  private void fromSources(String name) {
    boolean once = into.end() && follow.given();
    if (!domain.isEmpty()
        || !paths.isEmpty()
        || buckets.given()
        || input.given()
        || byReference
        || topics.given()
        || formatOfTopic()
        || once) {
      throw misused(
          "--dataset needs neither --domain, PATH, --topic, --buckets nor --format and the like, which its"
              + " sources have, and --end no --follow");
    }
    DatasetIngest work =
        new DatasetIngest(access(), name, into.takeOver(), input.threads(), console());
    if (follow.given()) {
      work.follow(follow);
      return;
    }
    Map<String, IngestReport> reports = work.once(into.end());
    json.write(reports);
    reports.forEach(
        (its, report) -> FileIngest.requireRead(its, report, into.end(), "; see domain " + its));
  }

  private void fromTopic() {
    if (!topics.named()) {
      throw misused(
          "--topic-format and what is said of a topic's brokers and schemas need --topic");
    }
    if (!paths.isEmpty() || buckets.given() || byReference) {
      throw misused("PATH, --buckets and --by-reference do not go with --topic");
    }
    if (into.end() && follow.given()) {
      throw misused("--end does not go with --follow, after which more may come");
    }
    if (input.areTokens() || input.format() != Format.AUTO) {
      throw misused("--topic-format says what the records of --topic are, not --format");
    }
    IngestSettings settings = input.settings(this::access, domain);
    IngestReport report;
    try (StopSignal stop = StopSignal.install(STOP_PATIENCE, () -> true)) {
      report =
          console()
              .during(
                  domain,
                  -1,
                  bar ->
                      new TopicIngest(
                              into.ingest(access(), settings, bar, input.threads()),
                              topics.reading(access(), settings.fields()),
                              follow.given())
                          .run(stop::isGiven));
    }
    json.write(report);
    FileIngest.requireRead(domain, report, into.end(), "; --topic-format says what records are");
  }

  private boolean formatOfTopic() {
    return spec().commandLine().getParseResult().hasMatchedOption("--topic-format");
  }

  /** How else the input could be read; '' where people have said how. */
  private String hint() {
    if (input.format() != Format.AUTO || input.areTokens()) {
      return "";
    }
    return (FileIngest.isInput(paths) ? "; standard input is read as JSONL" : "")
        + "; --format lines makes each line a document, --format text a whole input";
  }

  private void requirePaths() {
    boolean fromInput = FileIngest.isInput(paths);
    if (paths.isEmpty() && !into.end()) {
      throw misused("PATH is missing");
    }
    if (byReference && (fromInput || buckets.given())) {
      throw misused("--by-reference needs files, and goes without --buckets");
    }
    if (fromInput && paths.size() > 1) {
      throw misused("'-' must be the only PATH");
    }
    boolean once = into.end() || buckets.given() || fromInput || paths.isEmpty();
    if (follow.given() && once) {
      throw misused("--follow needs files as PATH, and neither --end nor --buckets");
    }
  }

  private IngestConsole console() {
    return new IngestConsole(out(), err(), quiet);
  }
}
