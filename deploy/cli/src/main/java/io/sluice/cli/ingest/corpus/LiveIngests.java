package io.sluice.cli.ingest.corpus;

import io.sluice.control.error.BadInputException;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.schema.IngestProgress;
import io.sluice.schema.KafkaAccess;

/** Ingests that have not come to their end. */
public final class LiveIngests {
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
