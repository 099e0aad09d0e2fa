package io.sluice.corpus.parquet;

import io.sluice.control.error.CommandException;
import io.sluice.control.line.RefusedException;
import io.sluice.corpus.file.FileBytes;
import io.sluice.corpus.file.FileChangedException;
import io.sluice.corpus.file.StoredFile;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.io.api.RecordMaterializer;
import org.apache.parquet.schema.MessageType;
import org.jspecify.annotations.Nullable;

/**
 * Some columns of the rows of a Parquet file. In memory are these columns of one row group,
 * compressed, and a page of each. What a file says of sizes and places is checked before it is
 * believed; whatever else is wrong with it is an {@link IOException}.
 *
 * @param <T> what a row becomes
 */
public final class ParquetRows<T> implements Closeable {
  /** Most compressed bytes of a column in one row group. */
  private static final long LARGEST_CHUNK = 1L << 30;

  private final ParquetFileReader file;
  private final MessageType columns;
  private final long bytes;
  private final RecordMaterializer<T> rows;
  private int group = -1;
  private long left;
  private long read;
  private @Nullable RecordReader<T> reader;

  private ParquetRows(
      ParquetFileReader file, MessageType columns, long bytes, RecordMaterializer<T> rows) {
    this.file = file;
    this.columns = columns;
    this.bytes = bytes;
    this.rows = rows;
  }

  /** What is read of a file, once its columns are known. */
  public interface Selection<T> {
    /**
     * The columns that are read.
     *
     * @throws RefusedException if the file has no such columns
     */
    MessageType columns(MessageType all) throws RefusedException;

    /** What makes rows of these columns. */
    RecordMaterializer<T> rows(MessageType columns);
  }

  /**
   * Opens a file.
   *
   * @throws RefusedException if it has not the columns that are wanted
   * @throws IOException if it cannot be read or is no Parquet file
   */
  public static <T> ParquetRows<T> open(StoredFile stored, Selection<T> selection)
      throws IOException, RefusedException {
    ParquetReadOptions options =
        ParquetReadOptions.builder(new PlainParquetConfiguration())
            .withCodecFactory(new PageCodecs())
            .usePageChecksumVerification(true)
            .build();
    FileBytes bytes = stored.bytesAnywhere();
    ParquetFileReader file = opened(bytes, options);
    try {
      MessageType columns = selection.columns(file.getFileMetaData().getSchema());
      file.setRequestedSchema(columns);
      return new ParquetRows<>(file, columns, bytes.size(), selection.rows(columns));
    } catch (RefusedException e) {
      file.close();
      throw e;
    } catch (RuntimeException e) {
      file.close();
      throw damaged(e);
    }
  }

  /** The share of the file's rows that were read, from 0 to 1. */
  public double done() {
    long all = Math.max(1, file.getRecordCount());
    return Math.min(1, (double) read / all);
  }

  /** The next row; null at the end. */
  public @Nullable T next() throws IOException {
    try {
      while (left == 0) {
        if (!nextGroup()) {
          return null;
        }
      }
      left--;
      read++;
      return reader == null ? null : reader.read();
    } catch (RuntimeException | StackOverflowError e) {
      throw damaged(e);
    }
  }

  /** Passes over the next rows, those of whole row groups without reading them. */
  public void skip(long rows) throws IOException {
    long over = rows;
    while (over > 0) {
      if (left == 0) {
        long passed = passGroups(over);
        over -= passed;
        read += passed;
        if (over == 0 || !nextGroup()) {
          return;
        }
      }
      long here = Math.min(over, left);
      for (long each = 0; each < here; each++) {
        next();
      }
      over -= here;
    }
  }

  /** Passes over the next row groups that together have at most so many rows. */
  private long passGroups(long most) {
    List<BlockMetaData> groups = file.getRowGroups();
    long passed = 0;
    while (group + 1 < groups.size()
        && groups.get(group + 1).getRowCount() >= 0
        && groups.get(group + 1).getRowCount() <= most - passed) {
      group++;
      passed += groups.get(group).getRowCount();
    }
    return passed;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  private static ParquetFileReader opened(FileBytes bytes, ParquetReadOptions options)
      throws IOException {
    try {
      return ParquetFileReader.open(new StoredInput(bytes), options);
    } catch (IOException e) {
      bytes.close();
      throw e;
    } catch (RuntimeException | StackOverflowError e) {
      bytes.close();
      throw damaged(e);
    }
  }

  private boolean nextGroup() throws IOException {
    List<BlockMetaData> groups = file.getRowGroups();
    do {
      group++;
      if (group >= groups.size()) {
        return false;
      }
      requireReadable(groups.get(group));
    } while (groups.get(group).getRowCount() == 0);
    PageReadStore pages = file.readRowGroup(group);
    left = pages.getRowCount();
    reader = new ColumnIOFactory().getColumnIO(columns).getRecordReader(pages, rows);
    return true;
  }

  private void requireReadable(BlockMetaData group) throws IOException {
    for (ColumnChunkMetaData column : group.getColumns()) {
      if (!columns.containsPath(column.getPath().toArray())) {
        continue;
      }
      PageCodecs.requireRead(column.getCodec());
      long start = column.getStartingPos();
      long size = column.getTotalSize();
      if (start < 0 || size < 0 || size > LARGEST_CHUNK || start > bytes - size) {
        throw new IOException(
            "column "
                + column.getPath()
                + " must lie inside the file's "
                + bytes
                + " bytes, and have at most "
                + LARGEST_CHUNK
                + " in a row group: "
                + size
                + " from "
                + start);
      }
    }
  }

  /** The library meets what is wrong in a file with whatever its parts throw. */
  private static IOException damaged(Throwable cause) {
    Throwable inner = cause;
    while (inner.getCause() != null && !isOfStore(inner)) {
      inner = inner.getCause();
    }
    if (inner instanceof FileChangedException changed) {
      return changed;
    }
    if (inner instanceof CommandException away) {
      throw away;
    }
    return new IOException("not Parquet, or damaged: " + inner.getMessage(), cause);
  }

  /** Whether the file's bytes could not be had, so that nothing is known of them. */
  private static boolean isOfStore(Throwable cause) {
    return cause instanceof FileChangedException || cause instanceof CommandException;
  }
}
