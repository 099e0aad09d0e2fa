package io.sluice.jobs.simulation;

import io.sluice.client.block.BlockReader;
import io.sluice.client.error.RewoundException;
import io.sluice.client.run.RunInfo;
import io.sluice.client.run.RunLogFold;
import io.sluice.client.run.RunTimeline;
import io.sluice.client.run.StreamState;
import io.sluice.client.run.Timelines;
import io.sluice.client.run.TrainerRank;
import io.sluice.client.stream.GlobalBatch;
import io.sluice.client.stream.StreamAssembler;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.EntryDigest;
import io.sluice.schema.GoverningEntry;
import io.sluice.schema.LogSnapshot;
import io.sluice.schema.RunRevised;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStarted;
import io.sluice.schema.StreamHeader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The reader that a rank of a run's trainers has, without a broker. */
public final class SimulatedReader {
  private final String runId;
  private final RunSpec spec;
  private final TrainerRank rank;
  private final RunLogFold log;
  private StreamAssembler assembler;

  /** A reader before a run's first batch that knows nothing of its log yet. */
  public SimulatedReader(String runId, RunSpec spec, TrainerRank rank) {
    this.runId = runId;
    this.spec = spec;
    this.rank = rank;
    this.log = new RunLogFold(runId);
    this.assembler = after(StreamState.start(runId));
  }

  /** A reader that goes on with a batch, whatever came before. */
  public SimulatedReader jumpingTo(StreamHeader header) {
    SimulatedReader other = new SimulatedReader(runId, spec, rank);
    long before = header.batch() - 1;
    other.assembler =
        other.after(new StreamState(runId, header.timeline(), before, header.firstIndex()));
    return other;
  }

  private RunTimeline runTimeline() {
    return log.runTimeline().orElse(RunTimeline.of(spec));
  }

  private StreamAssembler after(StreamState state) {
    RunTimeline runTimeline = runTimeline();
    int partitions = spec.getStreamPartitions();
    long last = runTimeline.spec().getBatches();
    Set<Integer> reads = rank.partitions(runTimeline.schedule(), state.batch(), last, partitions);
    BlockReader blocks = new BlockReader(new RunInfo(runId, spec));
    return new StreamAssembler(state, runTimeline.timelines(), partitions, blocks, rank, reads);
  }

  /** Begins with a snapshot of the control log. */
  void begin(ControlLog.Logged logged, ControlLog from) {
    ControlRecord record = logged.record();
    LogSnapshot snapshot = (LogSnapshot) record.getBody();
    List<RunSpec> specs = new ArrayList<>();
    for (GoverningEntry entry : snapshot.getGoverning()) {
      Object body = from.read(entry.getOffset()).orElseThrow().record().getBody();
      specs.add(
          body instanceof RunRevised revised ? revised.getSpec() : ((RunStarted) body).getSpec());
    }
    log.begin(logged.offset(), record, EntryDigest.of(logged.value()), snapshot, specs);
    assembler = after(runTimeline().start(runId));
  }

  /** Takes a record of the control log. */
  public void follow(ControlRecord record, long offset, byte[] value) {
    log.apply(0, offset, record, EntryDigest.of(value));
  }

  /**
   * Goes to a state, '' for the start of the run.
   *
   * @throws RewoundException if the run was rewound to a batch before it
   */
  public void resume(String state) {
    RunTimeline runTimeline = runTimeline();
    StreamState from = state.isEmpty() ? runTimeline.start(runId) : StreamState.parse(state);
    assembler = after(runTimeline.resume(runId, from));
  }

  /** Goes to a state without asking whether it can be. */
  public void force(String state) {
    assembler = after(state.isEmpty() ? runTimeline().start(runId) : StreamState.parse(state));
  }

  /** Fails if the log says that the run was rewound to a batch before the next one. */
  public void requireNotRewound() {
    int own = assembler.timeline();
    Timelines timelines = runTimeline().timelines();
    if (assembler.lastBatch() >= timelines.end(own)) {
      throw new RewoundException(own, timelines.newest(), timelines.end(own));
    }
  }

  /** Partitions that it reads. */
  public Set<Integer> reads() {
    return assembler.reads();
  }

  /** Takes one record of a partition. */
  public void offer(int partition, StreamHeader header, byte[] value) {
    assembler.offer(partition, header, ByteBuffer.wrap(value));
  }

  /** Whether the next batch is complete. */
  public boolean hasNext() {
    return assembler.hasNext();
  }

  /** Whether the next batch is of a mixture that the log has not been read up to. */
  public boolean mustFollow() {
    return assembler.nextWeightsVersion() > log.weightsVersion();
  }

  /** The next batch, once, if it is complete. */
  public Optional<GlobalBatch> take() {
    return mustFollow() ? Optional.empty() : assembler.take();
  }

  /** Index of the next sequence that the partition must give. */
  public long expected(int partition) {
    return assembler.expected(partition);
  }

  /** The timeline of the next sequence that the partition must give. */
  public int timeline(int partition) {
    return assembler.timeline(partition);
  }

  /** Newest timeline that it knows. */
  public int timeline() {
    return assembler.timeline();
  }

  /** Position after the last batch, as a checkpoint keeps it. */
  public String state() {
    return assembler.state().toJson();
  }

  /** What the next batch waits for, for people. */
  public String awaited() {
    return assembler.awaited().toString();
  }
}
