package io.sluice.jobs.mix.source;

import io.sluice.jobs.heap.HeapShare;
import io.sluice.jobs.heap.HeapTooSmallException;
import io.sluice.jobs.mix.stream.StreamBuffer;

/**
 * What the blocks of all runs of a process may take of its heap: their share, and no more than what
 * its writers leave.
 *
 * @param share of the heap that they may take
 * @param heap bytes of the process
 * @param readers that it may get, each with a writer
 * @param buffer bytes of a writer
 */
record BlockHeap(HeapShare share, long heap, int readers, long buffer) {
  /** One run over thousands of domains, with the least that it can be read with. */
  static final long LEAST = 16L << 20;

  /** Flink's own, and what the clients of Kafka keep. */
  static final long OTHERS = 48L << 20;

  /** That of this process. */
  static BlockHeap ofProcess(HeapShare share, int readers, int tasks, long buffer) {
    StreamBuffer buffers = StreamBuffer.ofProcess(tasks);
    return new BlockHeap(share, buffers.heap(), readers, buffers.bytes(buffer));
  }

  /**
   * Bytes for blocks.
   *
   * @throws HeapTooSmallException if there would be none to speak of
   */
  long bytes() {
    long left = heap - OTHERS - readers * buffer;
    long bytes = Math.min(share.of(heap), left);
    if (left < LEAST) {
      throw new HeapTooSmallException(
          "blocks of runs beside %d writers of streams".formatted(readers),
          LEAST,
          left,
          "what is left of",
          heap);
    }
    return bytes;
  }
}
