package io.sluice.jobs.mix.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BlockMemoryTest {
  private static final int BLOCK = 100;
  private static final int FETCH = 1_000;

  private final BlockMemory memory = new BlockMemory(2 * FETCH);

  private static List<ByteBuffer> fetch() {
    byte[] bytes = new byte[FETCH];
    List<ByteBuffer> blocks = new ArrayList<>();
    for (int at = 0; at < FETCH; at += BLOCK) {
      bytes[at] = (byte) (at / BLOCK);
      blocks.add(ByteBuffer.wrap(bytes, at, BLOCK));
    }
    return blocks;
  }

  @Test
  void blocksOfAFetchAreKeptAsTheyCameAndCountOnce() {
    List<ByteBuffer> blocks = fetch();
    List<ByteBuffer> kept = blocks.stream().map(block -> memory.keep(block, true)).toList();
    for (int i = 0; i < blocks.size(); i++) {
      assertThat(kept.get(i)).isSameAs(blocks.get(i));
    }
    assertThat(memory.used()).isEqualTo(FETCH);

    kept.subList(1, kept.size()).forEach(memory::drop);
    assertThat(memory.used()).as("one block keeps the whole fetch").isEqualTo(FETCH);
    memory.drop(kept.get(0));
    assertThat(memory.used()).isZero();
  }

  @Test
  void aBlockThatStaysIsCopied() {
    ByteBuffer block = fetch().get(3);
    ByteBuffer kept = memory.keep(block, false);
    assertThat(kept).isEqualTo(block);
    assertThat(kept.capacity()).isEqualTo(BLOCK);
    assertThat(memory.used()).isEqualTo(BLOCK);
    memory.drop(kept);
    assertThat(memory.used()).isZero();
  }

  @Test
  void blocksAreCopiedWhenTheirFetchDoesNotFit() {
    memory.keep(fetch().get(0), true);
    memory.keep(fetch().get(0), true);
    ByteBuffer block = fetch().get(7);
    ByteBuffer kept = memory.keep(block, true);
    assertThat(kept).isEqualTo(block);
    assertThat(kept.capacity()).isEqualTo(BLOCK);
    assertThat(memory.used()).isEqualTo(2 * FETCH + BLOCK);
  }

  @Test
  void aBlockWithAnArrayOfItsOwnIsNeverCopied() {
    ByteBuffer decompressed = ByteBuffer.wrap(new byte[BLOCK + 20], 10, BLOCK);
    assertThat(memory.keep(decompressed, false)).isSameAs(decompressed);
    assertThat(memory.used()).isEqualTo(BLOCK + 20);
    memory.drop(decompressed);
    assertThat(memory.used()).isZero();
  }
}
