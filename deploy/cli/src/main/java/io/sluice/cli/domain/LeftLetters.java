package io.sluice.cli.domain;

import io.sluice.control.domain.DeadLetterLog;
import io.sluice.schema.DeadLetter;
import io.sluice.schema.Topics;

/** Why a dead letter that does not say how its file was read is not retried, and what to do. */
record LeftLetters(Topics topics) {
  /** For people, in a sentence. */
  String why(DeadLetterLog.Entry entry) {
    DeadLetter letter = entry.letter();
    return switch (letter.getComponent()) {
      case "ingest" -> ingested(letter);
      case "prepare" -> prepared(letter);
      case "mix" -> mixed(letter.getOrigin());
      default -> "it is of no record: the service tries again by itself as long as that is of use";
    };
  }

  private static String ingested(DeadLetter letter) {
    if (letter.getPartition() >= 0) {
      return "a topic's record is taken once: its producer can write it again, as it should be";
    }
    if (letter.getOrigin().equals("-")) {
      return "standard input is gone: ingest it again";
    }
    return letter.getPosition() == 0
        ? "it does not say how its file was read: 'sluice ingest' of the same input with the same"
            + " options takes what is not there yet"
        : "it does not say how its file was read, as letters of earlier releases, token ids,"
            + " --buckets and domain-column do not: a file of another name takes the record";
  }

  private String prepared(DeadLetter letter) {
    return letter.getOrigin().startsWith(topics.corpus(""))
        ? "the record is in the corpus that all datasets of the domain read, and written again it"
            + " would be there twice for those that can use it: a dataset that is applied now"
            + " reads it where it is; else ingest its input, mended, from a file of another name"
        : "its file is in the corpus by reference, and the record counts as refused for good:"
            + " mended, it can be ingested from a file of another name";
  }

  private String mixed(String topic) {
    if (topic.startsWith(topics.feedback(""))) {
      return "what could not count when it came decides nothing later: a trainer that waits says"
          + " it again by itself";
    }
    return topic.equals(topics.runs())
        ? "a command is asked for again by its command, if it is still wanted"
        : "whoever wrote it says it again, if it is still so";
  }
}
