package io.sluice.cli.text;

import io.sluice.control.error.BadInputException;
import io.sluice.control.line.Fields;
import io.sluice.corpus.document.DocumentSink;
import io.sluice.corpus.document.IngestReport;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.corpus.document.Ingestor;
import io.sluice.corpus.file.Format;
import io.sluice.corpus.file.SourceFiles;
import io.sluice.corpus.store.FileStores;
import io.sluice.corpus.store.S3Settings;
import io.sluice.schema.DeadLetter;
import io.sluice.schema.Document;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/** Which texts a command reads out of files, divided as {@code ingest} divides them. */
public final class TextInput {
  /** No domain's: nothing is written. */
  private static final String NOWHERE = "texts";

  @Option(
      names = "--format",
      defaultValue = "auto",
      paramLabel = "FORMAT",
      description =
          "auto (by name), text (a document each file), html (its main content), jsonl, lines or"
              + " parquet. Default: auto.")
  private Format format = Format.AUTO;

  @Option(
      names = "--text-field",
      paramLabel = "FIELD",
      description = "The field of a JSON line, or column of Parquet, with the text. Default: text.")
  private String textField = Fields.STANDARD.text();

  @Option(
      names = "--gitignore",
      description = "Below folders, leave out what their .gitignore files say, as git does.")
  private boolean gitignore;

  /**
   * Reads documents of files, folders and objects, in an order that depends on their paths alone.
   *
   * @param notices where it says what could not be used
   * @return how many there were
   * @throws BadInputException if nothing is there
   */
  public long read(List<String> paths, PrintWriter notices, Consumer<Document> documents) {
    if (format == Format.TOKENS) {
      throw new BadInputException("--format must be one of texts: 'tokens'");
    }
    Fields fields = new Fields(textField, Fields.STANDARD.id());
    IngestSettings settings =
        new IngestSettings(
            NOWHERE,
            format,
            IngestSettings.DEFAULT_DOCUMENT,
            fields,
            gitignore,
            Optional.empty(),
            Optional.empty());
    Consumer<String> say = line -> notices.println("sluice: " + line);
    try (FileStores stores = new FileStores(S3Settings.usual(say))) {
      SourceFiles files = SourceFiles.below(stores, paths, gitignore);
      IngestReport report =
          new Ingestor(settings, new Taken(documents), InstantSource.system(), bytes -> {})
              .files(files);
      report.firstRefusals().forEach(refusal -> say.accept("left out " + refusal));
      long more = report.deadLetters() - report.firstRefusals().size();
      if (more > 0) {
        say.accept("left out " + more + " more");
      }
      notices.flush();
      if (report.documents() == 0) {
        throw new BadInputException("no document could be used of " + paths);
      }
      return report.documents();
    }
  }

  /** Hands documents on; what is none was counted. */
  private record Taken(Consumer<Document> documents) implements DocumentSink {
    @Override
    public void document(Document document, byte[] encoded) {
      documents.accept(document);
    }

    @Override
    public void deadLetter(DeadLetter letter) {
      // The report has the first ones and their number.
    }
  }
}
