package io.sluice.jobs.mix.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

final class BlockSerializerTest {
  private final BlockSerializer serializer = new BlockSerializer();

  @Test
  void aPartOfAnArrayBecomesAnArray() {
    ByteBuffer block = ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5}, 1, 3);
    assertThat(serializer.serialize("t", block)).containsExactly(2, 3, 4);
    assertThat(block.remaining()).as("it can be sent again").isEqualTo(3);
  }

  @Test
  void aWholeArrayIsTakenAsItIs() {
    byte[] array = {1, 2};
    assertThat(serializer.serialize("t", ByteBuffer.wrap(array))).isSameAs(array);
  }

  @Test
  void blocksOfOneSizeShareAnArray() {
    ByteBuffer bytes = ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5});
    byte[] first = serializer.serialize("t", bytes.slice(0, 2));
    assertThat(serializer.serialize("t", bytes.slice(3, 2))).isSameAs(first).containsExactly(4, 5);
    assertThat(serializer.serialize("t", bytes.slice(0, 3))).containsExactly(1, 2, 3);
  }

  @Test
  void sizesThatFallTogetherAreToldApart() {
    ByteBuffer bytes = ByteBuffer.allocate(1_000);
    assertThat(serializer.serialize("t", bytes.slice(0, 65))).hasSize(65);
    assertThat(serializer.serialize("t", bytes.slice(0, 129))).hasSize(129);
    assertThat(serializer.serialize("t", bytes.slice(0, 65))).hasSize(65);
  }
}
