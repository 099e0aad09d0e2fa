package io.sluice.cli.ingest.corpus;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.control.error.BadInputException;
import io.sluice.control.history.TopicScan;
import io.sluice.control.topics.RecordWriter;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.schema.IngestProgress;
import io.sluice.schema.KafkaAccess;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Ingests that have not come to their end. */
public final class LiveIngests {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private LiveIngests() {}

  /**
   * Checks that no ingest of files into a domain is under way or was broken off: one that is
   * repeated looks in the corpus for what it had written, and would bring in again what is purged.
   * Whoever writes there without files, or without 'ingest', says nothing of it.
   *
   * @throws BadInputException if one is
   */
  public static void requireNone(KafkaAccess access, String domain) {
    try (TopicAdmin admin = new TopicAdmin(access)) {
      admin
          .find(access.topics().corpus(domain))
          .map(topic -> topic.topicId().toString())
          .flatMap(corpus -> IngestedFiles.read(access, domain, corpus).progress())
          .filter(IngestProgress::getOpen)
          .ifPresent(LiveIngests::refuse);
    }
  }

  /**
   * Checks that no ingest of files into a domain may be under way; one that was broken off does not
   * matter.
   *
   * @param takeOver believe that whoever works on another machine has ended
   * @throws BadInputException if one may
   */
  public static void requireNoneNow(KafkaAccess access, String domain, boolean takeOver) {
    try (TopicAdmin admin = new TopicAdmin(access)) {
      admin
          .find(access.topics().corpus(domain))
          .map(topic -> topic.topicId().toString())
          .ifPresent(
              corpus ->
                  IngestClaim.create()
                      .requireFree(
                          IngestedFiles.read(access, domain, corpus).progress(), takeOver));
    }
  }

  /** Takes all that is said of a domain's files out of the table. */
  public static void forget(KafkaAccess access, String domain) {
    Set<String> keys = new LinkedHashSet<>();
    String ingested = access.topics().ingested();
    new TopicScan(access)
        .read(
            List.of(ingested),
            message -> {
              String key = message.key() == null ? "" : new String(message.key(), UTF_8);
              if (key.equals(domain) || key.startsWith(domain + "/")) {
                if (message.value() == null) {
                  keys.remove(key);
                } else {
                  keys.add(key);
                }
              }
            });
    RecordWriter.delete(access, ingested, keys, PATIENCE);
  }

  private static void refuse(IngestProgress open) {
    throw new BadInputException(
        "an ingest into domain '"
            + open.getDomain()
            + "', process "
            + open.getProcess()
            + " on "
            + open.getHost()
            + ", has not come to its end: let it, or, where it was broken off, repeat it first");
  }
}
