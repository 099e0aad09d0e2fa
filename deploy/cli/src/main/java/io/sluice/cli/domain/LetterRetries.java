package io.sluice.cli.domain;

import io.sluice.control.domain.DeadLetterLog;
import io.sluice.corpus.file.FileStore;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RefusedSource;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;

/** Retries of dead letters: one ingest for the files of a domain that were read alike. */
record LetterRetries(
    KafkaAccess access, FileStore stores, OptionalInt maxDocument, boolean takeOver) {
  /** What the files of one ingest have in common. */
  private record Ingest(String domain, RefusedSource reading) {
    static Ingest of(RefusedLetter letter) {
      return new Ingest(
          letter.domain(),
          RefusedSource.newBuilder(letter.source())
              .setLocation("")
              .setId("")
              .setNamed(true)
              .setCorpus("")
              .build());
    }
  }

  /** Retries them, and says in their topic which are done with. */
  List<LetterOutcome> done(LetterChoice choice) {
    return each(
        choice,
        files -> {
          List<LetterOutcome> outcomes = files.retry();
          List<Long> done =
              outcomes.stream().filter(LetterOutcome::isDone).map(LetterOutcome::number).toList();
          new DeadLetterLog(access)
              .retried(files.letters().get(0).domain(), done, InstantSource.system().millis());
          return outcomes;
        });
  }

  /** Looks which of them would be read again, and writes nothing. */
  List<LetterOutcome> tried(LetterChoice choice) {
    return each(choice, RefusedFiles::wouldRetry);
  }

  private List<LetterOutcome> each(
      LetterChoice choice, Function<RefusedFiles, List<LetterOutcome>> retry) {
    Map<Ingest, List<RefusedLetter>> ingests = new LinkedHashMap<>();
    choice
        .letters()
        .forEach(
            letter ->
                ingests.computeIfAbsent(Ingest.of(letter), its -> new ArrayList<>()).add(letter));
    List<LetterOutcome> outcomes = new ArrayList<>(choice.others());
    ingests.forEach(
        (ingest, letters) ->
            outcomes.addAll(
                retry.apply(
                    new RefusedFiles(
                        access,
                        stores,
                        letters,
                        choice.told().getOrDefault(ingest.domain(), Set.of()),
                        maxDocument,
                        takeOver))));
    outcomes.sort(Comparator.comparingLong(LetterOutcome::number));
    return outcomes;
  }
}
