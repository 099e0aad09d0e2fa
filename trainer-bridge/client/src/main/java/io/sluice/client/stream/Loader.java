package io.sluice.client.stream;

import io.sluice.client.cache.NodeCache;
import io.sluice.client.claim.ClaimKeeper;
import io.sluice.client.claim.KafkaClaimLog;
import io.sluice.client.claim.RankClaim;
import io.sluice.client.error.BatchNoLongerRetainedException;
import io.sluice.client.error.InvalidStateException;
import io.sluice.client.error.InvalidWorldSizeException;
import io.sluice.client.error.RankTakenException;
import io.sluice.client.error.RewoundException;
import io.sluice.client.error.RunEndedException;
import io.sluice.client.error.StreamCorruptException;
import io.sluice.client.error.StreamGapException;
import io.sluice.client.error.StreamMissingException;
import io.sluice.client.error.StreamStalledException;
import io.sluice.client.run.ControlFollower;
import io.sluice.client.run.ExposedTime;
import io.sluice.client.run.FeedbackSource;
import io.sluice.client.run.NewestStatus;
import io.sluice.client.run.RunInfo;
import io.sluice.client.run.SetSource;
import io.sluice.client.run.StreamState;
import io.sluice.client.run.Timelines;
import io.sluice.client.run.TrainerRank;
import io.sluice.client.run.WaitCause;
import io.sluice.client.segment.DatasetFiles;
import io.sluice.client.segment.SegmentReader;
import io.sluice.client.segment.SegmentTable;
import io.sluice.client.wait.StepClock;
import io.sluice.client.wait.SupplyQuestion;
import io.sluice.client.wait.WaitMarks;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.KafkaUnreachableException;
import io.sluice.schema.ReadBatches;
import io.sluice.schema.run.Delivery;
import io.sluice.schema.run.RowLengths;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stream of one run as one rank of its trainer sees it: its rows of every global batch in
 * order, each exactly once, read ahead in a thread of its own. One thread uses it; an interrupted
 * one leaves {@link #next} with Kafka's InterruptException.
 *
 * <p>The trainer follows the timeline that is the run's newest when it opens the stream or seeks:
 * batches before a rewind come from the timelines that own them, and a later rewind ends the stream
 * with a {@link RewoundException}.
 */
public final class Loader implements FeedbackSource, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Loader.class);

  private final RunInfo run;
  private final TrainerRank rank;
  private final BatchReader reader;
  private final Prefetcher prefetcher;
  private final Optional<ClaimKeeper> claim;
  private volatile StreamState state;
  private volatile Timelines followed;
  private volatile boolean waits;
  private volatile long asked;
  private final UnsaidDigests digests = new UnsaidDigests();
  private final StepClock steps = new StepClock();
  private final SupplyQuestion supply;
  private Wait lastWait = new Wait(Duration.ZERO, "");

  /**
   * How long a batch was waited for.
   *
   * @param reason what it waited for; '' when it was there
   */
  public record Wait(Duration time, String reason) {}

  /**
   * Opens the stream before the run's first batch. Who begins there though the run was trained on,
   * or goes on from another one's batch, is warned.
   *
   * @throws StreamMissingException if the run's stream topic does not exist
   * @throws InvalidWorldSizeException if the ranks cannot share the run's batches
   * @throws KafkaUnreachableException if no broker answers
   */
  public static Loader open(KafkaAccess access, RunInfo run, StreamOptions options) {
    Loader stream = new Loader(access, run, options);
    return stream.begin(
        () -> {
          stream.start();
          stream.lookAtBeginning(access);
        });
  }

  /**
   * Opens the stream after the batch of a checkpoint; of a run that was forked, one of the run that
   * it continues, of exactly the batch that it continues.
   *
   * @throws RewoundException if the run was rewound to a batch before it
   * @throws InvalidStateException if the state is of another run, or cannot be one of this run's
   * @throws StreamMissingException if the run's stream topic does not exist
   * @throws InvalidWorldSizeException if the ranks cannot share the run's batches
   * @throws KafkaUnreachableException if no broker answers
   */
  public static Loader open(
      KafkaAccess access, RunInfo run, StreamOptions options, StreamState state) {
    Loader stream = new Loader(access, run, options);
    return stream.begin(
        () -> {
          stream.seek(state);
          if (state.batch() == 0) {
            stream.lookAtBeginning(access);
          }
        });
  }

  /** The rank that speaks for all looks, while the first batches are read. */
  private void lookAtBeginning(KafkaAccess access) {
    if (claim.isPresent() && rank.rank() == 0 && rank.reports()) {
      BeginningNotice.of(run, reader.runTimeline(), () -> NewestStatus.of(access, run.runId()))
          .ifPresent(LOG::warn);
    }
  }

  private Loader(KafkaAccess access, RunInfo run, StreamOptions options) {
    this(
        run,
        options,
        openReader(access, run, options),
        options.attaches()
            ? Optional.of(
                new ClaimKeeper(
                    new RankClaim(
                        run.runId(),
                        options.rank(),
                        options.metrics(),
                        new KafkaClaimLog(access, run),
                        InstantSource.system())))
            : Optional.empty(),
        new SupplyQuestion(() -> NewestStatus.of(access, run.runId())));
  }

  Loader(
      RunInfo run,
      StreamOptions options,
      BatchReader reader,
      Optional<ClaimKeeper> claim,
      SupplyQuestion supply) {
    this.supply = supply;
    this.run = run;
    this.rank = options.rank();
    this.reader = reader;
    long ahead = options.bufferBytes() - reader.buffers();
    this.prefetcher = new Prefetcher(reader, ahead, options.statusInterval());
    this.claim = claim;
    this.state = reader.state();
    this.followed = reader.runTimeline().timelines();
  }

  private static BatchReader openReader(KafkaAccess access, RunInfo run, StreamOptions options) {
    if (Delivery.isDerived(run.spec())) {
      return derivedReader(access, run, options);
    }
    return new StreamReader(
        run,
        options,
        access.topics().stream(run.name()),
        StreamConsumer.of(access),
        ControlFollower.of(access, run),
        new SetSource.Topic(access),
        System::nanoTime);
  }

  private static BatchReader derivedReader(KafkaAccess access, RunInfo run, StreamOptions options) {
    SegmentTable table = SegmentTable.of(access, run);
    DatasetFiles files =
        DatasetFiles.of(access, run, NodeCache.find(options.cache(), System.getenv()));
    return new DerivedReader(
        run,
        options,
        (derivation, after) -> ControlFollower.of(access, run, derivation, after),
        table,
        new SegmentReader(run, table, files),
        new SetSource.Topic(access),
        System::nanoTime);
  }

  private Loader begin(Runnable start) {
    try {
      start.run();
      return this;
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private void start() {
    steps.begin();
    digests.forget();
    state = reader.state();
    followed = reader.runTimeline().timelines();
    claim.ifPresent(each -> each.attach(state));
    prefetcher.start();
  }

  /**
   * The next batch; waits for it.
   *
   * @throws StreamStalledException if it is not complete in time; asking again is fine
   * @throws RunEndedException if there is no next batch
   * @throws RewoundException if the run was rewound to a batch before it
   * @throws RankTakenException if another process took the rank
   * @throws StreamGapException if a sequence stays missing
   * @throws StreamCorruptException if the stream contradicts itself
   * @throws BatchNoLongerRetainedException if its records were removed
   */
  public GlobalBatch next(Duration timeout) {
    requireHeld();
    if (!waits) {
      asked = System.nanoTime();
    }
    String reason = prefetcher.waitsFor();
    Prefetcher.Fetched fetched = await(timeout);
    long taken = System.nanoTime();
    Duration waited = Duration.ofNanos(taken - asked);
    lastWait = new Wait(waited, waited.toMillis() < 1 ? "" : reason);
    GlobalBatch batch = fetched.batch();
    WaitMarks marks = fetched.marks();
    steps.add(asked, taken, supply.lacks(batch.batch()) ? marks.forSupply() : marks);
    requireStands(batch);
    state =
        new StreamState(
            run.runId(), batch.timeline(), batch.batch(), batch.firstIndex() + batch.size());
    digests.add(batch.batch(), batch.digest());
    return batch.cut(RowLengths.at(reader.infoAt(batch.batch()).spec(), batch.batch()));
  }

  /**
   * The batches from the next one on, each fetched once the one before it is done with; they end
   * when the run is completed or stopped. What they throw is what {@link #next} does, for a run
   * that failed or was deleted, too; asking again then goes on.
   *
   * @param timeout longest wait for one batch
   */
  public Iterable<GlobalBatch> batches(Duration timeout) {
    return () -> new Batches(() -> next(timeout));
  }

  /** Whoever is told that the batch stays away still waits for it. */
  private Prefetcher.Fetched await(Duration timeout) {
    waits = true;
    try {
      Prefetcher.Fetched batch = prefetcher.next(timeout, this::whileWaiting);
      waits = false;
      return batch;
    } catch (RunEndedException e) {
      waits = false;
      throw e;
    }
  }

  private void whileWaiting() {
    requireHeld();
    if (reader.lastCause() == WaitCause.GRANT) {
      supply.waits(state.batch() + 1, System.nanoTime() - asked);
    }
  }

  private void requireStands(GlobalBatch batch) {
    Timelines known = reader.runTimeline().timelines();
    long end = known.end(followed.newest());
    if (batch.batch() > end) {
      throw new RewoundException(followed.newest(), known.newest(), end);
    }
  }

  @Override
  public void requireHeld() {
    claim.ifPresent(ClaimKeeper::requireHeld);
  }

  @Override
  public boolean waits() {
    return waits;
  }

  /**
   * Position after the last batch that was handed out, the same on every rank; the trainer's
   * checkpoint keeps it.
   */
  public StreamState state() {
    return state;
  }

  /**
   * Goes to a state, so that the next batch is the one after it, whatever the world size was.
   *
   * @throws RewoundException if the run was rewound to a batch before it
   * @throws InvalidStateException if the state is of another run, or cannot be one of this run's
   */
  public void seek(StreamState to) {
    prefetcher.stop();
    reader.seek(to);
    start();
  }

  /**
   * Goes to a batch, so that it is the next one.
   *
   * @param batch from 1
   */
  public void seekToBatch(long batch) {
    prefetcher.stop();
    reader.seekToBatch(batch);
    start();
  }

  /** The run, under the specification that governs the last batch that was handed out. */
  @Override
  public RunInfo run() {
    return reader.infoAt(Math.max(1, state.batch()));
  }

  /** The run, under the specification that governs a batch, as far as it is known. */
  public RunInfo runAt(long batch) {
    return reader.infoAt(batch);
  }

  /** The rank whose rows this is. */
  @Override
  public TrainerRank rank() {
    return rank;
  }

  /** The newest timeline that the trainer follows: that of its progress. */
  @Override
  public int timeline() {
    return followed.newest();
  }

  /** The timeline that owns a batch: that of the feedback of a step. */
  @Override
  public int timelineOf(long batch) {
    return followed.owner(batch);
  }

  /** How long the last batch was waited for, calls that were told that it stays away included. */
  public Wait lastWait() {
    return lastWait;
  }

  /**
   * What the steps waited for since the stream was opened, with a wait that is going on, which
   * counts under what it waits for now. The first one that is taken, and the first after a seek, is
   * not among them: what it waited for is the start.
   */
  @Override
  public Optional<ExposedTime> exposed() {
    if (!waits) {
      return Optional.of(steps.exposed());
    }
    WaitCause known = reader.lastCause();
    boolean documents = known == WaitCause.GRANT && supply.lacks(state.batch() + 1);
    WaitCause cause = documents ? WaitCause.SUPPLY : known;
    return Optional.of(steps.waiting(asked, System.nanoTime(), cause));
  }

  @Override
  public List<ReadBatches> read(long batch) {
    return digests.take(batch);
  }

  /** Blocks that could not be used and were handed on masked, since the stream was opened. */
  public long undecodable() {
    return reader.undecodable();
  }

  @Override
  public void close() {
    prefetcher.close();
    claim.ifPresent(ClaimKeeper::close);
  }
}
