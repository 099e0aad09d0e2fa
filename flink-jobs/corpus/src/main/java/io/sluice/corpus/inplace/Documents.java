package io.sluice.corpus.inplace;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Which documents the rows of a file have parts of. Rows come in their order, each once. */
interface Documents extends Closeable {
  /** Adds the parts of the next row, whose tokens these are. */
  void addTo(RowParts parts, ByteBuffer tokens) throws IOException;

  @Override
  default void close() throws IOException {}
}
