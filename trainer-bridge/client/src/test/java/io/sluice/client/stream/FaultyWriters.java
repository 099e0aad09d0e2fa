package io.sluice.client.stream;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The partitions of a stream topic as an unlucky history of writers leaves them. Each writer starts
 * from a checkpoint, so it repeats what was written since; it stops after losing a record of some
 * partition, and records that were already in flight there may come after the hole. A paused writer
 * may wake up and add old records after its successor's. The last writer reaches the end.
 */
public final class FaultyWriters {
  private final TestingStream stream;
  private final Random random;
  private final List<List<TestingStream.Sequence>> log = new ArrayList<>();

  public FaultyWriters(TestingStream stream, long seed) {
    this.stream = stream;
    this.random = new Random(seed);
    for (int p = 0; p < stream.partitions(); p++) {
      log.add(new ArrayList<>());
    }
    int size = stream.sequences().size();
    int checkpoint = 0;
    int crashes = random.nextInt(6);
    for (int crash = 0; crash < crashes; crash++) {
      int failure = checkpoint + random.nextInt(size - checkpoint);
      write(checkpoint, failure);
      writeBehindHole(failure);
      int next = checkpoint + random.nextInt(failure - checkpoint + 1);
      if (random.nextInt(3) == 0) {
        int from = random.nextInt(failure + 1);
        write(from, from + random.nextInt(failure - from + 1));
      }
      checkpoint = next;
    }
    write(checkpoint, size);
  }

  private void write(int from, int to) {
    for (int i = from; i < to; i++) {
      append(i);
    }
  }

  /** The record of {@code lost} is missing; some later ones still arrive. */
  private void writeBehindHole(int lost) {
    int end = Math.min(stream.sequences().size(), lost + 1 + random.nextInt(12));
    boolean[] failed = new boolean[stream.partitions()];
    for (int i = lost + 1; i < end; i++) {
      int partition = stream.sequence(i).partition();
      failed[partition] |= random.nextInt(4) == 0;
      if (!failed[partition]) {
        append(i);
      }
    }
  }

  private void append(int index) {
    TestingStream.Sequence sequence = stream.sequence(index);
    log.get(sequence.partition()).add(sequence);
  }

  /** Records of a partition in the order of its log. */
  public List<TestingStream.Sequence> partition(int partition) {
    return log.get(partition);
  }

  /** Offset of the first record of a batch at or after this one. */
  int seek(int partition, long batch) {
    List<TestingStream.Sequence> records = log.get(partition);
    int offset = 0;
    while (offset < records.size() && records.get(offset).header().batch() < batch) {
      offset++;
    }
    return offset;
  }
}
