package io.sluice.jobs.mix.stream;

import java.nio.ByteBuffer;
import org.apache.kafka.common.serialization.Serializer;

/**
 * Hands Kafka a block as the array that it wants. The producer copies the array before {@code send}
 * returns, so blocks of the same size share one: no block costs an allocation.
 */
public final class BlockSerializer implements Serializer<ByteBuffer> {
  private static final int SIZES = 64;

  private final byte[][] scratch = new byte[SIZES][0];

  // An array as long as what remains begins where the block does.
  @SuppressWarnings("ByteBufferBackingArray")
  @Override
  public byte[] serialize(String topic, ByteBuffer block) {
    int size = block.remaining();
    if (block.array().length == size) {
      return block.array();
    }
    byte[] array = scratch[size % SIZES];
    if (array.length != size) {
      array = new byte[size];
      scratch[size % SIZES] = array;
    }
    block.get(block.position(), array);
    return array;
  }
}
