package io.sluice.corpus.topic;

import java.util.Locale;

/** What the values of a topic's records are. */
public enum TopicFormat {
  /** {@link io.sluice.schema.Document} in Avro's single-object encoding, as in a corpus. */
  DOCUMENT,
  /** A JSON object with the document's text. */
  JSON,
  /** The document's text, in UTF-8. */
  TEXT,
  /** Avro behind the id of its schema in a registry, as Confluent's serializers write it. */
  CONFLUENT_AVRO;

  /** As options and messages have it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
