package io.sluice.corpus.file;

/**
 * One file to ingest.
 *
 * @param file where it is
 * @param id first part of its documents' ids: its path below the folder that was named, starting
 *     with that folder's own name; of a folder that cannot be read, with '/' behind it
 * @param named true if the user named it, false if it was found below a folder
 */
public record SourceFile(StoredFile file, String id, boolean named) {
  /** Where it is, as documents and dead letters say it. */
  public String origin() {
    return file.origin();
  }

  /** Its size. */
  public long bytes() {
    return file.bytes();
  }
}
