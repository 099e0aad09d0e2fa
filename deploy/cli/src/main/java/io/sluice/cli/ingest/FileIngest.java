package io.sluice.cli.ingest;

import io.sluice.cli.ingest.corpus.CorpusIngest;
import io.sluice.control.error.BadInputException;
import io.sluice.control.error.CheckFailedException;
import io.sluice.corpus.document.IngestListener;
import io.sluice.corpus.document.IngestReport;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.corpus.file.SourceFiles;
import io.sluice.corpus.follow.FollowedFiles;
import io.sluice.corpus.store.FileStores;
import io.sluice.corpus.store.S3Settings;
import java.util.List;
import java.util.function.Function;

/**
 * The {@code ingest} of files of a person, into one domain: says how far it is, and what came of
 * it.
 *
 * @param byReference the corpus says which files have the documents
 * @param into makes an ingestion that tells how far it is
 * @param hint how else the files could be read
 */
record FileIngest(
    List<String> paths,
    IngestSettings settings,
    boolean byReference,
    Function<IngestListener, CorpusIngest> into,
    String hint,
    IngestConsole console) {
  private static final String STANDARD_INPUT = "-";

  /** Whether paths are standard input, or it is among them. */
  static boolean isInput(List<String> paths) {
    return paths.contains(STANDARD_INPUT);
  }

  /** Ingests what is there now. */
  IngestReport once() {
    if (isInput(paths)) {
      return console.during(settings.domain(), -1, bar -> into.apply(bar).stream(System.in));
    }
    try (FileStores stores = new FileStores(S3Settings.usual(console::say))) {
      IngestReport report = ingest(SourceFiles.below(stores, paths, settings.gitignore()));
      console.referred(List.of(report));
      return report;
    }
  }

  /** Ingests what comes, until the process is stopped. */
  void follow(FollowOptions follow) {
    try (FileStores stores = new FileStores(S3Settings.forever(console::say))) {
      FollowedFiles followed = new FollowedFiles(settings.format());
      follow.run(
          () -> {
            SourceFiles due = followed.due(SourceFiles.now(stores, paths, settings.gitignore()));
            if (!due.files().isEmpty()) {
              ingest(due);
            }
          });
    }
  }

  private IngestReport ingest(SourceFiles files) {
    return console.during(
        settings.domain(),
        files.bytes(),
        bar -> byReference ? into.apply(bar).reference(files) : into.apply(bar).files(files));
  }

  /**
   * Checks that something could be used.
   *
   * @param end whether the domain was to be marked as ended
   */
  void requireSomething(IngestReport report, boolean end) {
    // Where lines were refused, they may be of another format; a file that is cut has that alone.
    boolean refused = report.deadLetters() > report.givenUp();
    requireRead(settings.domain(), report, end, refused ? hint : "");
    if (report.documents() > 0 || report.known() > 0 || paths.isEmpty()) {
      return;
    }
    if (report.deadLetters() > 0) {
      String unended = end && !report.ended() ? unended(settings.domain()) : "";
      throw new CheckFailedException("no document could be used" + hint + unended);
    }
    throw new BadInputException("PATH must hold at least one text file that is not empty");
  }

  /**
   * Checks that no input was given up.
   *
   * @param end whether the domain was to be marked as ended
   * @param more to be said of it
   */
  static void requireRead(String domain, IngestReport report, boolean end, String more) {
    if (report.givenUp() > 0) {
      throw new CheckFailedException(
          report.givenUp()
              + " of the inputs could not be used"
              + more
              + (end ? unended(domain) : ""));
    }
  }

  private static String unended(String domain) {
    return "; the domain is not marked as ended: 'sluice ingest --domain "
        + domain
        + " --end' without PATH does so all the same";
  }
}
