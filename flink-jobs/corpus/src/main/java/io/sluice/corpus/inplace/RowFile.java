package io.sluice.corpus.inplace;

import io.sluice.corpus.file.StoredFile;
import io.sluice.schema.FileInPlace;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * A file whose rows are blocks where they lie.
 *
 * @param path absolute
 * @param file how it is
 * @param source first part of its documents' ids
 * @param ids the bytes of its rows
 * @param offset first byte of the first row
 * @param stride bytes from a row to the next
 * @param left tokens that are in no row
 * @param documents of its rows; closed with this
 */
public record RowFile(
    Path path,
    FileInPlace file,
    String source,
    StoredFile ids,
    long offset,
    int stride,
    long rows,
    long left,
    Documents documents)
    implements Closeable {
  /** How a file is now; without its index. */
  static FileInPlace now(Path path) throws IOException {
    BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
    return new FileInPlace(now.size(), Long.toString(now.lastModifiedTime().toMillis()), "");
  }

  /** Whether it is what it was when it was opened. */
  boolean isAsItWas() throws IOException {
    FileInPlace now = now(path);
    return now.getBytes() == file.getBytes() && now.getVersion().equals(file.getVersion());
  }

  /** What it is called in records of segments. */
  public String uri() {
    return "file://" + path;
  }

  @Override
  public void close() throws IOException {
    documents.close();
  }
}
