package io.sluice.corpus.document;

import io.sluice.control.line.RefusedException;
import io.sluice.corpus.record.FileRecord;
import io.sluice.corpus.record.RecordDigest;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A way through the records of one file, its lines, its rows, or all of it: tells those that are in
 * the corpus from those that are not, and compares the former with what they were.
 */
public final class FilePassage {
  private final RecordDigest digest = new RecordDigest();
  private final long known;
  private final long hashed;
  private final byte[] hash;
  private long records;

  private FilePassage(long known, long hashed, byte[] hash) {
    this.known = known;
    this.hashed = hashed;
    this.hash = hash;
  }

  /** Of a file of which nothing is known. */
  public static FilePassage fresh() {
    return new FilePassage(0, 0, new byte[0]);
  }

  /**
   * Of a file whose first records are in the corpus.
   *
   * @param known so many
   * @param hashed of so many of these, the first, the hash is known
   */
  public static FilePassage behind(long known, long hashed, byte[] hash) {
    return new FilePassage(known, hashed, hash);
  }

  /** Whether the ingest of a record, by its number from 1, is done: it is there, or was refused. */
  public boolean isKnown(long number) {
    return number <= known;
  }

  /**
   * Takes the file's next record.
   *
   * @return whether it is to be ingested
   * @throws RefusedException if the records so far are not what they were
   */
  boolean isNew(byte[] record) throws RefusedException {
    digest.add(record);
    return next();
  }

  /** The same for a record as it was read. */
  boolean isNew(FileRecord record) throws RefusedException {
    record.addTo(digest);
    return next();
  }

  /** The same for a record of two parts, each of which it may not have. */
  boolean isNew(byte @Nullable [] first, byte @Nullable [] second) throws RefusedException {
    digest.add(first);
    digest.add(second);
    return next();
  }

  private boolean next() throws RefusedException {
    records++;
    if (records == hashed && !Arrays.equals(digest.hash(), hash)) {
      throw changed("its first " + hashed + " records are not what they were");
    }
    return records > known;
  }

  /**
   * Says that the file has no more.
   *
   * @throws RefusedException if it had more
   */
  void end() throws RefusedException {
    if (records < known) {
      throw changed("it has " + records + " records, and had at least " + known);
    }
  }

  /** Records that are done with. */
  public long records() {
    return Math.max(records, known);
  }

  /** Whether more is known of the file than before. */
  public boolean hasMore() {
    return records > Math.min(known, hashed);
  }

  /** Records whose hash {@link #provenHash} is. */
  public long proven() {
    return Math.max(records, hashed);
  }

  public byte[] provenHash() {
    return records >= hashed ? digest.hash() : hash.clone();
  }

  private static RefusedException changed(String how) {
    return new RefusedException(
        "was changed since it was ingested: "
            + how
            + ", or it was read with another --max-document. What is in the corpus stays; a file of"
            + " another name takes what is new");
  }
}
