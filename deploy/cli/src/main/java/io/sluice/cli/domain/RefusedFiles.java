package io.sluice.cli.domain;

import io.sluice.cli.domain.LetterOutcome.Kind;
import io.sluice.cli.ingest.corpus.CorpusIngest;
import io.sluice.cli.ingest.corpus.LetterSources;
import io.sluice.control.domain.EndedDomains;
import io.sluice.control.error.BadInputException;
import io.sluice.control.line.RefusedException;
import io.sluice.corpus.document.DocumentSink;
import io.sluice.corpus.document.FilePassage;
import io.sluice.corpus.document.IngestReport;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.corpus.document.Ingestor;
import io.sluice.corpus.document.RangeIngestor;
import io.sluice.corpus.file.FileStore;
import io.sluice.corpus.file.SourceFile;
import io.sluice.corpus.file.SourceFiles;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RefusedSource;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Dead letters of a domain's files that were all read alike, and their retry: one ingest into the
 * domain. A record that the ingest of its file has passed is read by itself ({@link
 * RefusedRecords}). Where it has not, the file is ingested again, from where that was.
 *
 * @param letters of one domain and one reading
 * @param told places of the domain that have letters: these get no other
 * @param maxDocument most bytes of a document now; empty for what it was
 * @param takeOver believe that an ingest that another machine was at has ended
 */
record RefusedFiles(
    KafkaAccess access,
    FileStore stores,
    List<RefusedLetter> letters,
    Set<String> told,
    OptionalInt maxDocument,
    boolean takeOver) {
  /** Takes what can be taken now; what came of each letter. */
  List<LetterOutcome> retry() {
    List<LetterOutcome> outcomes = new ArrayList<>();
    Map<SourceFile, List<RefusedLetter>> files = find(outcomes);
    if (files.isEmpty()) {
      return outcomes;
    }
    RefusedLetter any = letters.get(0);
    RefusedSource reading = any.source();
    try {
      int before = reading.getMaxDocument();
      IngestSettings was = LetterSources.settings(any.domain(), reading, before);
      IngestSettings now =
          LetterSources.settings(any.domain(), reading, maxDocument.orElse(before));
      SourceFiles sources = new SourceFiles(List.copyOf(files.keySet()), 0, 0);
      new CorpusIngest(access, was, false, takeOver, false, bytes -> {}, 1)
          .once(
              sources,
              reading.getByReference(),
              sink -> {
                outcomes.addAll(retry(files, was, now, sink));
                return IngestReport.NOTHING;
              });
    } catch (BadInputException | RefusedException e) {
      outcomes.clear();
      letters.forEach(
          each -> outcomes.add(LetterOutcome.of(each, Kind.REFUSED, e.getMessage() + "")));
    }
    return outcomes;
  }

  /** The same without writing anything: which of them would be read again. */
  List<LetterOutcome> wouldRetry() {
    List<LetterOutcome> outcomes = new ArrayList<>();
    String domain = letters.get(0).domain();
    if (new EndedDomains(access).has(domain)) {
      String why = "domain '" + domain + "' has ended: no document may follow its end marker";
      letters.forEach(each -> outcomes.add(LetterOutcome.of(each, Kind.REFUSED, why)));
      return outcomes;
    }
    find(outcomes)
        .values()
        .forEach(
            found ->
                found.forEach(each -> outcomes.add(LetterOutcome.of(each, Kind.READ_AGAIN, ""))));
    return outcomes;
  }

  private Map<SourceFile, List<RefusedLetter>> find(List<LetterOutcome> lost) {
    Map<RefusedSource, List<RefusedLetter>> byFile = new LinkedHashMap<>();
    letters.forEach(
        each -> byFile.computeIfAbsent(each.source(), file -> new ArrayList<>()).add(each));
    Map<SourceFile, List<RefusedLetter>> files = new LinkedHashMap<>();
    byFile.forEach(
        (said, its) -> {
          try {
            SourceFile file =
                new SourceFile(stores.find(said.getLocation()), said.getId(), said.getNamed());
            files.put(file, its);
          } catch (IOException e) {
            String why = "cannot be read: " + e.getMessage();
            its.forEach(each -> lost.add(LetterOutcome.of(each, Kind.REFUSED, why)));
          }
        });
    return files;
  }

  private List<LetterOutcome> retry(
      Map<SourceFile, List<RefusedLetter>> files,
      IngestSettings was,
      IngestSettings now,
      DocumentSink sink) {
    List<LetterOutcome> outcomes = new ArrayList<>();
    RefusedRecords records = new RefusedRecords(access, now, sink);
    files.forEach(
        (file, its) -> {
          try {
            boolean known = sink.mayKnow(file);
            FilePassage passage = sink.file(file);
            List<RefusedLetter> passed =
                its.stream()
                    .filter(each -> each.position() > 0 && passage.isKnown(each.position()))
                    .toList();
            records.add(file, passed);
            List<RefusedLetter> others = new ArrayList<>(its);
            others.removeAll(passed);
            if (!others.isEmpty()) {
              // What is known was hashed up to the limit that it had then, whichever that was.
              outcomes.addAll(again(file, others, known ? List.of(was, now) : List.of(now), sink));
            }
          } catch (RefusedException e) {
            its.forEach(
                each -> outcomes.add(LetterOutcome.of(each, Kind.REFUSED, e.getMessage() + "")));
          }
        });
    outcomes.addAll(records.retry());
    return outcomes;
  }

  private List<LetterOutcome> again(
      SourceFile file, List<RefusedLetter> its, List<IngestSettings> limits, DocumentSink sink) {
    boolean byReference = its.get(0).source().getByReference();
    SourceFiles one = new SourceFiles(List.of(file), 0, 0);
    NewRefusals refusals = new NewRefusals(sink, file.file().location(), told);
    IngestReport report = IngestReport.NOTHING;
    for (IngestSettings settings : limits) {
      refusals = new NewRefusals(sink, file.file().location(), told);
      report =
          byReference
              ? new RangeIngestor(settings, refusals, InstantSource.system(), bytes -> {})
                  .files(one)
              : new Ingestor(settings, refusals, InstantSource.system(), bytes -> {}, 1).files(one);
      if (report.givenUp() == 0) {
        break;
      }
    }
    refusals.end();
    Kind taken = report.documents() > 0 ? Kind.TAKEN : Kind.THERE;
    List<LetterOutcome> outcomes = new ArrayList<>();
    for (RefusedLetter each : its) {
      String why = refusals.why(each.position()).orElse("");
      outcomes.add(LetterOutcome.of(each, why.isEmpty() ? taken : Kind.REFUSED, why));
    }
    return outcomes;
  }
}
