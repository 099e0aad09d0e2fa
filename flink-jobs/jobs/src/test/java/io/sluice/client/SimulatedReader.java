package io.sluice.client;

import io.sluice.schema.RunSpec;
import io.sluice.schema.StreamHeader;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.stream.IntStream;

/** The trainers' own reader of a run's stream, without a broker. */
public final class SimulatedReader {
  private final StreamAssembler assembler;

  /**
   * @param state what {@link #state()} gave; '' for the start of the run
   */
  public SimulatedReader(String runId, RunSpec spec, String state) {
    this(spec, state.isEmpty() ? StreamState.start(runId) : StreamState.parse(state));
  }

  private SimulatedReader(RunSpec spec, StreamState start) {
    assembler =
        new StreamAssembler(
            start,
            Timelines.startingAfter(0, 0),
            spec.getStreamPartitions(),
            new BlockReader(new RunInfo(start.runId(), spec)),
            TrainerRank.single(),
            IntStream.range(0, spec.getStreamPartitions()).boxed().toList());
  }

  /** A reader that goes on with a batch, whatever came before. */
  public static SimulatedReader jumpingTo(String runId, RunSpec spec, long batch, long firstIndex) {
    return new SimulatedReader(spec, new StreamState(runId, 0, batch - 1, firstIndex));
  }

  /** Takes one record of a partition. */
  public void offer(int partition, StreamHeader header, byte[] value) {
    assembler.offer(partition, header, ByteBuffer.wrap(value));
  }

  /** The next batch, once, if it is complete. */
  public Optional<GlobalBatch> take() {
    return assembler.take();
  }

  /** Index of the next sequence that the partition must give. */
  public long expected(int partition) {
    return assembler.expected(partition);
  }

  /** Number of the last batch that was handed out. */
  public long lastBatch() {
    return assembler.lastBatch();
  }

  /** Position after that batch, as a checkpoint keeps it. */
  public String state() {
    return assembler.state().toJson();
  }

  /** What the next batch waits for, for people. */
  public String awaited() {
    return assembler.awaited().toString();
  }
}
