package io.sluice.corpus.file;

import java.io.IOException;
import java.io.InputStream;

/** A file as it was found, wherever it is stored. Its bytes are read when they are asked for. */
public interface StoredFile {
  /** Where it is, as documents and dead letters say it. */
  String origin();

  /** Where it is, the same from everywhere: an absolute path, or the URL of an object. */
  String location();

  /** The last part of its location, which says what is in it. */
  String name();

  /** Its size. */
  long bytes();

  /** Whether somebody may be writing it; else it is there as a whole or not at all. */
  boolean mayGrow();

  /** Whether it is the beginning of a file of which more may have been read before. */
  default boolean isBeginning() {
    return false;
  }

  /** What is another once its bytes are: the time of its last change, or an object's ETag. */
  String version();

  /**
   * Its bytes from a place on.
   *
   * @throws IOException if it cannot be read, or is another where its store can tell
   */
  InputStream open(long from) throws IOException;

  /**
   * The same where no more than so many bytes are wanted; there may be more.
   *
   * @throws IOException as {@link #open(long)} does
   */
  default InputStream open(long from, long bytes) throws IOException {
    return open(from);
  }

  /** Its bytes at any place; throws as {@link #open} does. */
  FileBytes bytesAnywhere() throws IOException;

  /**
   * The file of another name in the same folder.
   *
   * @throws IOException if there is none
   */
  StoredFile beside(String name) throws IOException;
}
