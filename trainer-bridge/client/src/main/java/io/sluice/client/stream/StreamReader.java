package io.sluice.client.stream;

import io.sluice.client.block.BlockReader;
import io.sluice.client.block.MaskedDocuments;
import io.sluice.client.error.RewoundException;
import io.sluice.client.error.StreamCorruptException;
import io.sluice.client.error.StreamGapException;
import io.sluice.client.error.StreamMissingException;
import io.sluice.client.error.StreamStalledException;
import io.sluice.client.run.ControlFollower;
import io.sluice.client.run.RunInfo;
import io.sluice.client.run.RunLogFold;
import io.sluice.client.run.RunTimeline;
import io.sluice.client.run.SetSource;
import io.sluice.client.run.StreamState;
import io.sluice.client.run.Timelines;
import io.sluice.client.run.TrainerRank;
import io.sluice.client.run.WaitCause;
import io.sluice.schema.KafkaUnreachableException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicPartition;

/** Reads batches from a run's stream. */
public final class StreamReader extends BatchReader {
  /** Time to read what an ended run has left, before the caller is told. */
  private static final Duration TO_READ_THE_REST = Duration.ofMinutes(1);

  private final StreamCursor cursor;
  private final ControlFollower control;
  private final BlockReader blocks;
  private StreamAssembler assembler;
  private volatile StreamAssembler.Awaited awaited;
  private long soughtAgain = -1;

  /** Why it is not known where to read on; empty where it is. */
  private String astray = "";

  /**
   * A reader before the run's first batch.
   *
   * @throws StreamMissingException if the run's stream topic does not exist
   * @throws KafkaUnreachableException if no broker answers
   */
  StreamReader(
      RunInfo run,
      StreamOptions options,
      String topic,
      StreamConsumer consumer,
      ControlFollower control,
      SetSource sets,
      LongSupplier nanoTime) {
    super(run, options, sets, nanoTime);
    this.control = control;
    this.blocks = new BlockReader(run);
    try {
      this.cursor =
          new StreamCursor(
              consumer,
              topic,
              run.spec().getStreamPartitions(),
              options.bufferBytes() / 2,
              options.rank().worldSize() == 1);
      control.refresh();
      this.assembler = assemblerAt(control.runTimeline().start(run.runId()));
      this.awaited = assembler.awaited();
    } catch (RuntimeException e) {
      control.close();
      consumer.close();
      throw e;
    }
  }

  private StreamAssembler assemblerAt(StreamState state) {
    RunTimeline runTimeline = control.runTimeline();
    TrainerRank rank = options().rank();
    int partitions = run().spec().getStreamPartitions();
    Set<Integer> reads =
        rank.partitions(
            runTimeline.schedule(), state.batch(), runTimeline.spec().getBatches(), partitions);
    cursor.seek(state.batch() + 1, reads);
    return new StreamAssembler(state, runTimeline.timelines(), partitions, blocks, rank, reads);
  }

  @Override
  void goTo(StreamState state) {
    assembler = assemblerAt(state);
  }

  @Override
  ControlFollower control() {
    return control;
  }

  @Override
  long lastBatch() {
    return assembler.lastBatch();
  }

  @Override
  int timeline() {
    return assembler.timeline();
  }

  @Override
  public StreamState state() {
    return assembler.state();
  }

  @Override
  long buffers() {
    return options().bufferBytes() / 2;
  }

  @Override
  WaitCause cause() {
    return cursor.misses(assembler) ? WaitCause.NETWORK : WaitCause.EMISSION;
  }

  @Override
  StreamStalledException stalled(Duration timeout, String waitsFor) {
    StreamAssembler.Awaited next = awaited;
    return new StreamStalledException(
        next.batch(), next.partition(), next.index(), timeout, waitsFor);
  }

  /**
   * Hands out no batch of a mixture that the control log has not been read up to, and none whose
   * masked documents are not known.
   */
  @Override
  Optional<GlobalBatch> take() {
    if (assembler.hasNext() && assembler.nextWeightsVersion() > control.run().weightsVersion()) {
      askControlLog();
      if (assembler.nextWeightsVersion() > control.run().weightsVersion()) {
        return Optional.empty();
      }
    }
    if (!assembler.hasNext() || !knowsMasks()) {
      return Optional.empty();
    }
    MaskedDocuments masked = nextMasks();
    return assembler.take().map(taken -> taken.without(masked));
  }

  /** Reads on; where Kafka does not answer what that needs, begins again later. */
  @Override
  void read(Duration wait) {
    try {
      readOn(wait);
      astray = "";
    } catch (KafkaUnreachableException e) {
      astray = "; " + e.getMessage();
    }
  }

  private void readOn(Duration wait) {
    if (!astray.isEmpty()) {
      goTo(assembler.state());
    }
    long before = nanoTime();
    try {
      cursor.poll(wait, assembler);
    } catch (RewoundException e) {
      throw rewound(e);
    } catch (UnreadRowsException e) {
      readWhere(e);
    }
    assembler.readFor(nanoTime() - before);
    awaited = assembler.awaited();
    if (!assembler.hasNext()) {
      checkGaps();
    }
  }

  /** Looks again before it reports a gap: what was lost and written again may lie behind this. */
  private void checkGaps() {
    long index = assembler.awaited().index();
    boolean looked = index == soughtAgain;
    Duration limit = options().gapTimeout();
    try {
      assembler.checkGaps(looked ? limit : limit.dividedBy(2));
    } catch (StreamGapException e) {
      if (looked) {
        throw e;
      }
      cursor.seek(assembler.lastBatch() + 1, assembler.reads());
      soughtAgain = index;
    }
  }

  /** The log knows the batch that the run was rewound to; the record may be of a later one. */
  private RewoundException rewound(RewoundException seen) {
    control.refresh();
    int own = assembler.timeline();
    Timelines timelines = control.runTimeline().timelines();
    return timelines.newest() > own
        ? new RewoundException(own, timelines.newest(), timelines.end(own))
        : seen;
  }

  /** Batch sizes have changed: begins again after the last batch, with the partitions of today. */
  private void readWhere(UnreadRowsException unread) {
    Set<Integer> before = Set.copyOf(assembler.reads());
    control.refresh();
    requireNotRewound();
    goTo(assembler.state());
    if (before.containsAll(assembler.reads())) {
      throw new StreamCorruptException(String.valueOf(unread.getMessage()));
    }
  }

  @Override
  long undecodable() {
    return blocks.undecodable();
  }

  /** Reads what an ended run has left; fails if that does not complete the batch. */
  @Override
  Optional<GlobalBatch> takeUnlessEnded() {
    try {
      return rest(control.run());
    } catch (KafkaUnreachableException e) {
      return Optional.empty();
    }
  }

  /** What the stream still has; that of a failed or deleted run may be gone. */
  private Optional<GlobalBatch> rest(RunLogFold status) {
    if (status.emitsNoMore() && cursor.isGone()) {
      throw ended();
    }
    Map<TopicPartition, Long> ends = cursor.ends();
    long until = nanoTime() + TO_READ_THE_REST.toNanos();
    while (!astray.isEmpty() || !cursor.hasRead(ends, assembler)) {
      if (nanoTime() - until > 0) {
        return Optional.empty();
      }
      read(POLL);
      Optional<GlobalBatch> batch = take();
      if (batch.isPresent()) {
        return batch;
      }
    }
    if (status.granted() >= assembler.awaited().batch()) {
      cursor.requireRetained(assembler);
    }
    throw ended();
  }

  @Override
  void heardNothing() {
    assembler.heardNothing();
  }

  @Override
  String describe() {
    return control.run().describe(assembler.awaited().batch()) + cursor.note(assembler);
  }

  @Override
  String astray() {
    return astray;
  }

  @Override
  public void close() {
    cursor.close();
    control.close();
  }
}
