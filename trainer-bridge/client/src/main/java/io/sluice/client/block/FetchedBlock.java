package io.sluice.client.block;

import io.sluice.schema.TokenBlock;
import java.nio.ByteBuffer;

/**
 * A block in the bytes that it was fetched in.
 *
 * @param content what they hold
 * @param reader that has inspected them
 */
record FetchedBlock(ByteBuffer bytes, EncodedBlock content, BlockReader reader)
    implements WholeBlock {
  @Override
  public byte[] encoded() {
    byte[] copy = new byte[size()];
    bytes.duplicate().get(copy);
    return copy;
  }

  @Override
  public int size() {
    return bytes.remaining();
  }

  @Override
  public TokenBlock decoded() {
    return reader.read(content, encoded());
  }

  @Override
  public boolean isUnusable() {
    return reader.isMasked(content);
  }
}
