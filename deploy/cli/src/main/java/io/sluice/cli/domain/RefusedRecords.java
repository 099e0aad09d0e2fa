package io.sluice.cli.domain;

import io.sluice.cli.domain.LetterOutcome.Kind;
import io.sluice.control.line.RefusedException;
import io.sluice.corpus.document.DocumentSink;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.corpus.file.Content;
import io.sluice.corpus.file.Format;
import io.sluice.corpus.file.SourceFile;
import io.sluice.corpus.record.FileRecord;
import io.sluice.corpus.record.RecordCursor;
import io.sluice.corpus.record.RecordDocuments;
import io.sluice.schema.Document;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.WireCodec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Records of files that were refused while others of their files were taken. Each is read again by
 * itself, and its document written unless the corpus has it: one of its id and text, at or behind
 * the offset where the letter says that it can be. So it is written once, whatever was killed in
 * between, and however often it is retried. Files are read twice: once for what to look for in the
 * corpus, and once to write, so that some hundred bytes of a document are in memory.
 */
final class RefusedRecords {
  private final KafkaAccess access;
  private final IngestSettings settings;
  private final DocumentSink sink;
  private final Map<SourceFile, SortedMap<Long, List<RefusedLetter>>> files = new LinkedHashMap<>();
  private final List<LetterOutcome> outcomes = new ArrayList<>();

  /** What is done with the document of a record, or with there being none. */
  private interface Found {
    void take(List<RefusedLetter> letters, Optional<Document> document);
  }

  RefusedRecords(KafkaAccess access, IngestSettings settings, DocumentSink sink) {
    this.access = access;
    this.settings = settings;
    this.sink = sink;
  }

  /** Adds records of a file. */
  void add(SourceFile file, List<RefusedLetter> letters) {
    for (RefusedLetter each : letters) {
      files
          .computeIfAbsent(file, its -> new TreeMap<>())
          .computeIfAbsent(each.position(), at -> new ArrayList<>())
          .add(each);
    }
  }

  /** Writes what the corpus does not have; what came of each letter. */
  List<LetterOutcome> retry() {
    if (files.isEmpty()) {
      return outcomes;
    }
    CorpusDocuments there = new CorpusDocuments(access, settings.domain());
    read((letters, document) -> document.ifPresent(its -> there.lookFor(its, letters)));
    outcomes.clear();
    there.find();
    read(
        (letters, document) -> {
          boolean isNew = document.isPresent() && there.isNew(document.get());
          if (isNew) {
            sink.document(document.get(), WireCodec.encode(document.get()));
          }
          Kind what = isNew ? Kind.TAKEN : Kind.THERE;
          letters.forEach(each -> outcomes.add(LetterOutcome.of(each, what, "")));
        });
    return outcomes;
  }

  private void read(Found found) {
    files.forEach(
        (file, positions) -> {
          Format format = Content.format(settings.format(), file.file().name());
          RecordDocuments documents = settings.documents(file, format);
          TreeMap<Long, List<RefusedLetter>> left = new TreeMap<>(positions);
          try (RecordCursor records =
              RecordCursor.open(file.file(), documents.reading(), bytes -> {})) {
            // What is written now is of this file, which the corpus knows, and of no other.
            var unused = sink.file(file);
            FileRecord next = records.next();
            while (next != null && !left.isEmpty()) {
              List<RefusedLetter> letters = left.remove(next.number());
              if (letters != null) {
                take(documents, next, letters, found);
              }
              next = records.next();
            }
            refuse(left, "the file has no such record any more");
          } catch (IOException | RefusedException e) {
            refuse(left, "cannot be read: " + e.getMessage());
          }
        });
  }

  private void take(
      RecordDocuments documents, FileRecord next, List<RefusedLetter> letters, Found found) {
    if (!letters.stream().allMatch(each -> each.isOf(next.payload()))) {
      refuse(letters, "is not what was refused: the file was changed since");
      return;
    }
    try {
      found.take(letters, documents.of(next).map(Document.class::cast));
    } catch (RefusedException e) {
      refuse(letters, String.valueOf(e.getMessage()));
    }
  }

  private void refuse(Map<Long, List<RefusedLetter>> positions, String why) {
    positions.values().forEach(letters -> refuse(letters, why));
  }

  private void refuse(List<RefusedLetter> letters, String why) {
    letters.forEach(each -> outcomes.add(LetterOutcome.of(each, Kind.REFUSED, why)));
  }
}
