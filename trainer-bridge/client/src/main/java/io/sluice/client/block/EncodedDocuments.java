package io.sluice.client.block;

import io.sluice.client.error.UnusableBlockException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The documents of an encoded block.
 *
 * @param encoded where their ids lie, which were walked when the block was inspected
 */
record EncodedDocuments(ByteBuffer encoded, boolean areHashes) implements PartDocuments {
  @Override
  public List<byte[]> ids() {
    try {
      return new BlockCursor(encoded).texts();
    } catch (UnusableBlockException e) {
      throw new IllegalStateException(e);
    }
  }
}
