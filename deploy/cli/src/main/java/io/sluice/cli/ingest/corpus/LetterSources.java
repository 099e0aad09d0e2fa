package io.sluice.cli.ingest.corpus;

import io.sluice.control.line.Fields;
import io.sluice.control.line.RefusedException;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.corpus.file.Format;
import io.sluice.corpus.file.SourceFile;
import io.sluice.corpus.file.SourceFiles;
import io.sluice.corpus.file.UnreadFile;
import io.sluice.schema.DeadLetter;
import io.sluice.schema.Limits;
import io.sluice.schema.RefusedSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Says in dead letters of files how these were read, and reads it back. Of token ids, whose
 * vocabulary a letter does not have, of documents whose domain or bucket a field decides, and of
 * what is no file that can be read, nothing is said: only the whole ingest can be done again.
 */
public final class LetterSources {
  private final IngestSettings settings;
  private final SourceFiles files;
  private final boolean byReference;
  private @Nullable Map<String, SourceFile> byOrigin;

  /**
   * Of one ingest.
   *
   * @param byReference whether documents stay in the files
   */
  public LetterSources(IngestSettings settings, SourceFiles files, boolean byReference) {
    this.settings = settings;
    this.files = files;
    this.byReference = byReference;
  }

  /**
   * The letter with what it takes to read its file again; as it is where nothing is said of it.
   *
   * @param corpus Kafka's id of the domain's corpus
   * @param offset of the corpus that no document that is made later is before
   */
  public DeadLetter with(DeadLetter letter, String corpus, long offset) {
    Fields fields = settings.fields();
    SourceFile file = byOrigin().get(letter.getOrigin());
    if (file == null
        || file.file() instanceof UnreadFile
        || settings.tokens().isPresent()
        || settings.scoreField().isPresent()
        || fields.domain().isPresent()) {
      return letter;
    }
    RefusedSource source =
        new RefusedSource(
            file.file().location(),
            file.id(),
            file.named(),
            byReference,
            settings.formatName(),
            fields.text(),
            fields.id(),
            fields.prompt().orElse(null),
            fields.trained().orElse(null),
            fields.properties(),
            settings.maxDocument(),
            corpus,
            offset);
    return DeadLetter.newBuilder(letter).setSource(source).build();
  }

  /**
   * How a letter's file was read.
   *
   * @param maxDocument most bytes of a document now
   * @throws RefusedException naming what is no setting
   */
  public static IngestSettings settings(String domain, RefusedSource said, int maxDocument)
      throws RefusedException {
    Format format =
        Arrays.stream(Format.values())
            .filter(each -> each != Format.TOKENS && each.name().equalsIgnoreCase(said.getFormat()))
            .findFirst()
            .orElseThrow(
                () ->
                    new RefusedException(
                        "RefusedSource: format must be auto, text, html, jsonl, lines or parquet:"
                            + " found '"
                            + Limits.shown(said.getFormat())
                            + "'"));
    Fields fields =
        new Fields(
            said.getTextField(),
            said.getIdField(),
            Optional.ofNullable(said.getPromptField()),
            Optional.ofNullable(said.getTrainedField()),
            said.getPropertyFields());
    try {
      return new IngestSettings(domain, format, maxDocument, fields, Optional.empty());
    } catch (IllegalArgumentException e) {
      throw new RefusedException("RefusedSource: " + e.getMessage());
    }
  }

  private Map<String, SourceFile> byOrigin() {
    Map<String, SourceFile> known = byOrigin;
    if (known == null) {
      known = new HashMap<>();
      for (SourceFile each : files.files()) {
        known.put(Limits.shortened(each.origin(), Limits.DOCUMENT_ID_BYTES), each);
      }
      byOrigin = known;
    }
    return known;
  }
}
