package io.sluice.jobs.mix.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sluice.control.topics.TopicAdmin;
import io.sluice.jobs.heap.HeapShare;
import io.sluice.jobs.heap.HeapTooSmallException;
import io.sluice.jobs.mix.stream.StreamBuffer;
import io.sluice.jobs.mix.stream.StreamSinkSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is taken of a process's heap together is less than that, whatever its size. */
class BlockHeapTest {
  private static final long MIB = 1 << 20;
  private static final long BUFFER = StreamSinkSettings.defaults().bufferBytes();

  private static BlockHeap heap(double share, long heap, int readers) {
    StreamBuffer buffer = new StreamBuffer(heap * MIB, readers);
    return new BlockHeap(new HeapShare(share), heap * MIB, readers, buffer.bytes(BUFFER));
  }

  /** The heaps of 'up', and of task managers of 1536m, 1g and, by Flink's defaults, 1536m. */
  @ParameterizedTest
  @CsvSource({
    "2048, 1, 64, 819",
    "768, 2, 64, 307",
    "768, 8, 32, 307",
    "256, 1, 64, 102",
    "416, 1, 64, 166",
    "416, 4, 34, 166",
    "416, 8, 20, 166",
    "416, 16, 20, 48",
  })
  void writersAndBlocksShareIt(long heap, int readers, long buffer, long blocks) {
    BlockHeap taken = heap(.4, heap, readers);

    assertThat(taken.buffer() / MIB).isEqualTo(buffer);
    assertThat(taken.bytes() / MIB).isEqualTo(blocks);
    assertThat(taken.bytes() + readers * taken.buffer()).isLessThan(heap * MIB);
  }

  @Test
  void whatTheWritersLeaveIsTheMost() {
    assertThat(heap(.9, 416, 4).bytes()).isEqualTo(heap(.8, 416, 4).bytes());
    assertThat(heap(.01, 416, 4).bytes()).isEqualTo((long) (4.16 * MIB));
  }

  @Test
  void withoutRoomForBlocksItIsRefused() {
    assertThatExceptionOfType(HeapTooSmallException.class)
        .isThrownBy(() -> heap(.4, 416, 18).bytes())
        .withMessageStartingWith(
            "blocks of runs beside 18 writers of streams need 16 MiB of heap, and have 8 MiB: what"
                + " is left of a process's 416 MiB. Give the task managers more");
  }

  @Test
  void aWriterHoldsTheLargestBlockAndReadersSendLess() {
    StreamBuffer little = new StreamBuffer(64 * MIB, 32);

    assertThat(little.bytes(BUFFER)).isEqualTo(StreamBuffer.LEAST);
    assertThat(little.unsent(48 * MIB)).isEqualTo(15 * MIB);
    assertThat(new StreamBuffer(2048 * MIB, 1).unsent(48 * MIB)).isEqualTo(48 * MIB);
    assertThat(StreamBuffer.LEAST).isGreaterThan(TopicAdmin.BLOCK_BYTES);
  }
}
