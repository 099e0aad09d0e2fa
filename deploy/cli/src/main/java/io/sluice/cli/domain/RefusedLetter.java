package io.sluice.cli.domain;

import io.sluice.control.domain.DeadLetterLog;
import io.sluice.corpus.record.RecordDigest;
import io.sluice.schema.DeadLetter;
import io.sluice.schema.RefusedSource;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What a retry keeps of a dead letter of a file: no more than some hundred bytes of it.
 *
 * @param number its offset in the topic
 * @param source how its file was read, with offset 0
 * @param offset of the corpus that no document that is made of it is before
 * @param position record of the file, from 1; 0 for the whole file
 * @param payload how many bytes the letter has of the record
 * @param digest of these
 */
record RefusedLetter(
    long number,
    String domain,
    RefusedSource source,
    long offset,
    long position,
    int payload,
    ByteBuffer digest) {
  /**
   * Of a letter that says how its file was read; empty of others.
   *
   * @param sources those that were met, so that each is kept once
   */
  static Optional<RefusedLetter> of(
      DeadLetterLog.Entry entry, Map<RefusedSource, RefusedSource> sources) {
    DeadLetter letter = entry.letter();
    RefusedSource said = letter.getSource();
    if (said == null || entry.domain().isEmpty()) {
      return Optional.empty();
    }
    long offset = said.getOffset();
    said.setOffset(0);
    RefusedSource source = Objects.requireNonNullElse(sources.putIfAbsent(said, said), said);
    byte[] payload = new byte[letter.getPayload().remaining()];
    letter.getPayload().duplicate().get(payload);
    return Optional.of(
        new RefusedLetter(
            entry.number(),
            entry.domain().get(),
            source,
            offset,
            letter.getPosition(),
            payload.length,
            digest(payload)));
  }

  /** Whether a record begins with what the letter has of it. */
  boolean isOf(byte[] record) {
    return record.length >= payload && digest(Arrays.copyOf(record, payload)).equals(digest);
  }

  /** The record, as no other record of the domain is called. */
  String place() {
    return place(source.getLocation(), position);
  }

  /** What a record of a file is called; for people, too. */
  static String place(String location, long position) {
    return position == 0 ? location : location + ":" + position;
  }

  private static ByteBuffer digest(byte[] bytes) {
    RecordDigest digest = new RecordDigest();
    digest.add(bytes);
    return ByteBuffer.wrap(digest.hash());
  }
}
