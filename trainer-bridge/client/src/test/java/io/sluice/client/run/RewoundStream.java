package io.sluice.client.run;

import io.sluice.client.block.Sequence;
import io.sluice.client.stream.TestingConsumer;
import io.sluice.client.stream.TestingLog;
import io.sluice.client.stream.TestingReaders;
import io.sluice.client.stream.TestingStream;
import io.sluice.schema.ChainHash;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.StreamHeader;
import io.sluice.schema.WireCodec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/**
 * A run that was rewound some times, as its log and its stream tell of it. Every timeline has
 * blocks of its own, and writes past the batch that the run is then rewound to, each partition as
 * far as its split happened to come.
 */
final class RewoundStream {
  final RunInfo run;
  final TestingConsumer<ByteBuffer> topic;
  final List<ControlRecord> log = new ArrayList<>();
  Timelines timelines = Timelines.startingAfter(0, 0, ChainHash.START);

  /** The sequences that stand, by index. */
  final TreeMap<Long, String> standing = new TreeMap<>();

  /** First index of each batch that was ever written; one more entry than batches. */
  private final long[] starts;

  private final int[] sizes;
  private final int partitions;
  private final Random random;
  private final int lastBatch;

  RewoundStream(int partitions, int[] sizes, int rewinds, long seed) {
    this.partitions = partitions;
    this.sizes = sizes;
    this.random = new Random(seed);
    this.run = new RunInfo("r-1", TestingStream.spec(partitions, sizes));
    this.topic = TestingConsumer.ofViews(1 + random.nextInt(30));
    topic.create(TestingReaders.STREAM, partitions);
    starts = new long[sizes.length + 1];
    for (int b = 0; b < sizes.length; b++) {
      starts[b + 1] = starts[b] + sizes[b];
    }
    log.add(TestingLog.started(run));
    int granted = 0;
    for (int timeline = 0; timeline < rewinds; timeline++) {
      int end = granted + random.nextInt(sizes.length - granted + 1);
      int rewoundTo = random.nextInt(end + 1);
      write(timeline, granted + 1, end, rewoundTo);
      granted = rewoundTo;
      log.add(
          TestingLog.revised(
              run, timeline + 1, log.size(), log.size() - 1, granted, starts[granted], 1));
      timelines = timelines.opening(timeline + 1, granted, starts[granted]);
      standing.tailMap(starts[granted]).clear();
    }
    write(rewinds, granted + 1, sizes.length, sizes.length);
    lastBatch = sizes.length;
  }

  /**
   * Batches of one timeline.
   *
   * @param even every split writes up to this one
   */
  private void write(int timeline, int from, int to, int even) {
    if (to >= from) {
      log.add(TestingLog.grant("r-1", timeline, log.size(), log.size() - 1, from - 1, to, 1));
    }
    long[] chains = new long[partitions];
    Arrays.fill(chains, ChainHash.START);
    boolean[] stopped = new boolean[partitions];
    for (int batch = from; batch <= to; batch++) {
      for (long index = starts[batch - 1]; index < starts[batch]; index++) {
        int partition = (int) (index % partitions);
        stopped[partition] |= batch > even && random.nextInt(4) == 0;
        if (!stopped[partition]) {
          chains[partition] = append(timeline, batch, index, chains[partition]);
        }
      }
    }
  }

  private long append(int timeline, int batch, long index, long chain) {
    String domain = TestingStream.DOMAINS.get(random.nextInt(TestingStream.DOMAINS.size()));
    long ordinal = 1000L * timeline + index;
    long next =
        ChainHash.next(
            chain, index, ChainHash.domain(TestingStream.FINGERPRINT, domain), 0, ordinal);
    StreamHeader header =
        new StreamHeader(
            timeline, batch, starts[batch - 1], sizes[batch - 1], index, 1, ordinal, next);
    byte[] value = WireCodec.encode(TestingStream.block(domain, ordinal));
    topic.append(
        TestingReaders.STREAM,
        new TestingStream.Sequence((int) (index % partitions), header, value));
    standing.put(index, timeline + ":" + domain + ":" + ordinal);
    return next;
  }

  /** The state after a batch of the lineage that stands. */
  StreamState after(int batch) {
    int timeline = batch == 0 ? 0 : timelines.owner(batch);
    return new StreamState("r-1", timeline, batch, starts[batch]);
  }

  /** What a batch that stands holds. */
  List<String> batch(int number) {
    return List.copyOf(standing.subMap(starts[number - 1], starts[number]).values());
  }

  static String describe(Sequence sequence) {
    return sequence.header().timeline()
        + ":"
        + sequence.domain()
        + ":"
        + sequence.header().ordinal();
  }

  int lastBatch() {
    return lastBatch;
  }
}
