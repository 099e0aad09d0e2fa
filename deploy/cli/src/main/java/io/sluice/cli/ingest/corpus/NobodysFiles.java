package io.sluice.cli.ingest.corpus;

import io.sluice.control.history.TopicScan;
import io.sluice.corpus.file.SourceFile;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.DeadLetter;
import io.sluice.schema.DeadLetters;
import io.sluice.schema.IngestedFile;
import io.sluice.schema.KafkaAccess;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Files below folders that name no domain of a dataset: each is a dead letter once, which the table
 * of ingested files says by a name that no file has.
 */
record NobodysFiles(KafkaAccess access, DatasetSpec dataset) {
  private static final int NO_PARTITION = -1;

  /**
   * Writes dead letters of those that were not told.
   *
   * @param domain in which they count, which has not ended
   */
  void tell(List<SourceFile> files, String domain) {
    if (files.isEmpty()) {
      return;
    }
    Set<String> told = told();
    List<SourceFile> fresh = files.stream().filter(file -> !told.contains(name(file))).toList();
    if (fresh.isEmpty()) {
      return;
    }
    String corpus = KnownDomains.open(access, domain, false);
    try (CorpusWriter writer = new CorpusWriter(access, domain)) {
      fresh.forEach(file -> writer.deadLetter(letter(file)));
      writer.flush();
      for (SourceFile file : fresh) {
        IngestedFile nothing =
            new IngestedFile(domain, name(file), corpus, "", 0L, 0L, ByteBuffer.allocate(0));
        writer.ingested(domain + "/" + name(file), nothing);
      }
      writer.flush();
    }
  }

  private DeadLetter letter(SourceFile file) {
    String reason =
        "the folder must name one of " + String.join(", ", dataset.getDomains()) + ", or be mapped";
    return DeadLetters.of(
        "ingest",
        file.origin(),
        NO_PARTITION,
        0,
        reason,
        new byte[0],
        InstantSource.system().millis());
  }

  /** By their names, whichever domain they counted in. */
  private Set<String> told() {
    Set<String> told = new HashSet<>();
    String prefix = prefix();
    new TopicScan(access)
        .read(
            List.of(access.topics().ingested()),
            message -> {
              String key =
                  message.key() == null ? "" : new String(message.key(), StandardCharsets.UTF_8);
              int name = key.indexOf('/') + 1;
              if (name > 0 && key.startsWith(prefix, name) && message.value() != null) {
                told.add(key.substring(name));
              }
            });
    return told;
  }

  private String name(SourceFile file) {
    return prefix() + file.file().location();
  }

  private String prefix() {
    return "nobody:" + dataset.getName() + ":";
  }
}
