package io.sluice.jobs.mix.source;

import io.sluice.jobs.mix.fetch.BlockReaders;
import io.sluice.jobs.mix.fetch.Consumers;
import io.sluice.jobs.mix.fetch.FetchMemory;
import io.sluice.jobs.mix.fetch.SplitBlocks;
import io.sluice.jobs.mix.split.BrokenRunException;
import io.sluice.jobs.mix.split.MixSplit;
import io.sluice.jobs.mix.split.RunLayout;
import io.sluice.jobs.mix.stream.StreamEnded;
import io.sluice.jobs.mix.stream.StreamEvent;
import io.sluice.jobs.mix.stream.StreamFailure;
import io.sluice.jobs.mix.stream.StreamGate;
import io.sluice.jobs.mix.stream.StreamRecord;
import io.sluice.jobs.mix.stream.StreamTarget;
import io.sluice.jobs.mix.tail.StreamCheck;
import io.sluice.schema.Topics;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.groups.SourceReaderMetricGroup;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Emits the sequences of its splits in turns; never waits in the task's thread. */
final class MixtureReader implements SourceReader<StreamEvent, MixSplit> {
  private static final Logger LOG = LoggerFactory.getLogger(MixtureReader.class);
  private static final int INBOX = 1_024;

  /** Least bytes of a run that may be on their way to the broker. */
  private static final long LEAST_UNSENT = 1 << 18;

  private static final Duration CLOSE = Duration.ofSeconds(5);

  private final Topics topics;
  private final Consumers consumers;
  private final MixtureSourceSettings settings;
  private final FetchMemory memory;
  private final EmissionNotices notices;
  private final SourceReaderContext context;
  private final Signal signal = new Signal();
  private final BlockingQueue<ReaderMessage> inbox = new LinkedBlockingQueue<>(INBOX);
  private final CopyOnWriteArrayList<ActiveSplit> active = new CopyOnWriteArrayList<>();
  private final DeficitRoundRobin<ActiveSplit> turns = new DeficitRoundRobin<>(active);
  private final RetiredSplits retired = new RetiredSplits();
  private final RestartBackoff restarts = new RestartBackoff();
  private final ControlFeed control;
  private final Thread controlThread;
  private final StreamCheck check;
  private final Runnable memoryChanged = this::memoryChanged;
  private volatile boolean adjusts;
  private boolean noMoreSplits;
  private final Counter sequences;
  private final Counter recordsIn;
  private final Counter ignoredEntries;

  MixtureReader(
      Topics topics,
      Consumers consumers,
      MixtureSourceSettings settings,
      FetchMemory memory,
      EmissionNotices notices,
      SourceReaderContext context,
      Function<Consumer<StreamCheck.Finding>, StreamCheck> checking) {
    this.topics = topics;
    this.consumers = consumers;
    this.settings = settings;
    this.memory = memory;
    this.notices = notices;
    this.context = context;
    this.control =
        new ControlFeed(
            () -> consumers.control(clientId("control")), inbox, signal::raise, this::tick);
    this.controlThread = new Thread(control, clientId("control"));
    controlThread.setDaemon(true);
    this.check = checking.apply(finding -> tell(ReaderMessage.of(finding)));
    SourceReaderMetricGroup metrics = context.metricGroup();
    sequences = metrics.counter("sequences");
    recordsIn = metrics.getIOMetricGroup().getNumRecordsInCounter();
    ignoredEntries = metrics.counter("ignoredControlEntries");
    metrics.gauge("activeRuns", active::size);
    metrics.gauge("failedRuns", retired::failures);
    metrics.gauge("waitingRuns", () -> active.stream().filter(ActiveSplit::isWaiting).count());
    metrics.gauge(
        "runsWithoutMemory", () -> active.stream().filter(ActiveSplit::awaitsMemory).count());
  }

  private String clientId(String what) {
    return "sluice-mix-" + what + "-" + context.getIndexOfSubtask();
  }

  @Override
  public void start() {
    context.sendSourceEventToCoordinator(
        new ReaderEvent.Owns(active.stream().map(ActiveSplit::id).toList()));
    controlThread.start();
    check.start(clientId("streams"));
  }

  @Override
  public void addSplits(List<MixSplit> splits) {
    for (MixSplit split : splits) {
      ActiveSplit added = activate(split, split.reach().isAny());
      active.add(added);
      start(split, added, false);
    }
    signal.raise();
  }

  private void start(MixSplit split, ActiveSplit added, boolean cut) {
    added.start();
    // Whoever read it before may have told of a wait that it could not take back.
    notices.flows(split.runId(), split.lane());
    check.add(split, added.gate(), cut);
    control.follow(split.runId(), split.control(topics), added.controlOffset());
    LOG.info(
        "Split {} is sequenced in timeline {} from batch {}",
        split.splitId(),
        split.cursor().control().timeline(),
        split.cursor().batch());
  }

  /** Goes on with a split of the same id, if its stream is cut from where that ends. */
  private void replace(ActiveSplit old, MixSplit successor, boolean cut) {
    old.close();
    check.remove(old.gate());
    ActiveSplit added = activate(successor, cut);
    active.set(active.indexOf(old), added);
    start(successor, added, cut);
  }

  private ActiveSplit activate(MixSplit split, boolean waits) {
    RunLayout layout = split.layout();
    List<TopicPartition> partitions =
        layout.domains().stream()
            .map(
                domain -> new TopicPartition(topics.blocks(layout.dataset(), domain), split.lane()))
            .toList();
    String name = clientId(split.runId() + "-" + split.lane());
    BlockReaders readers =
        new BlockReaders(consumers, name, split.lane(), partitions, settings.domainsOfAReader());
    FetchMemory.Claim claim = memory.claim(partitions.size(), settings.fetchBytes(), memoryChanged);
    SplitBlocks blocks =
        new SplitBlocks(
            split,
            readers,
            claim,
            signal::raise,
            (fetcher, error) -> tell(new ReaderMessage.BlocksFailed(fetcher, error)));
    StreamTarget target =
        new StreamTarget(split.runId(), topics.stream(layout.run()), layout.streamTopicId());
    StreamGate gate =
        new StreamGate(signal::raise, split.reach(), layout.streamPartitions(), waits);
    BatchSequencer sequencer = new BatchSequencer(split, target, gate, blocks);
    return new ActiveSplit(split, sequencer, gate, blocks);
  }

  private void memoryChanged() {
    adjusts = true;
    signal.raise();
  }

  private void tell(ReaderMessage message) {
    try {
      inbox.put(message);
      signal.raise();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public InputStatus pollNext(ReaderOutput<StreamEvent> output) throws IOException {
    StreamRecord record = nextRecord(output);
    if (record == null) {
      signal.arm();
      record = nextRecord(output);
      if (record == null && isAtEnd()) {
        return InputStatus.END_OF_INPUT;
      }
      if (record == null) {
        long now = System.nanoTime();
        long millis = System.currentTimeMillis();
        active.forEach(split -> split.waits(now, millis));
        return InputStatus.NOTHING_AVAILABLE;
      }
      signal.raise();
    }
    sequences.inc();
    recordsIn.inc();
    output.collect(record);
    return InputStatus.MORE_AVAILABLE;
  }

  private boolean isAtEnd() {
    return noMoreSplits && active.isEmpty() && restarts.snapshot().isEmpty();
  }

  private @Nullable StreamRecord nextRecord(ReaderOutput<StreamEvent> output) throws IOException {
    for (ReaderMessage message = inbox.poll(); message != null; message = inbox.poll()) {
      admit(message, output);
    }
    if (adjusts) {
      adjusts = false;
      active.forEach(ActiveSplit::adjust);
    }
    if (restarts.isDue(System.nanoTime())) {
      restart(restarts.take(System.nanoTime()), output);
    }
    return turns.next(split -> next(split, output));
  }

  /** Flink has an output for each split that it assigns, and refuses to release one twice. */
  private void restart(List<MixSplit> splits, ReaderOutput<StreamEvent> output) {
    splits.forEach(split -> output.createOutputForSplit(split.splitId()));
    addSplits(splits);
  }

  /** Bytes of a run that may be on their way to the broker. */
  private long unsentShare(ActiveSplit split) {
    return Math.max(LEAST_UNSENT, turns.share(split, settings.unsentBytes()));
  }

  private @Nullable StreamRecord next(ActiveSplit split, ReaderOutput<StreamEvent> output) {
    if (split.isCut()) {
      replace(split, split.snapshot(), true);
      return null;
    } else if (split.hasLost()) {
      pause(split, new IllegalStateException("its topic did not take what was sent"), output);
      return null;
    }
    try {
      StreamRecord record = split.next(unsentShare(split));
      long again = split.isFinished() ? -1 : split.rereadFrom();
      if (split.isFinished()) {
        finish(split, output);
      } else if (again >= 0) {
        control.follow(split.runId(), split.control(topics), again);
      } else if (record == null) {
        split.successor().ifPresent(successor -> replace(split, successor, false));
      }
      return record;
    } catch (RuntimeException e) {
      fail(split, e, output);
      return null;
    }
  }

  private void admit(ReaderMessage message, ReaderOutput<StreamEvent> output) throws IOException {
    if (message instanceof ReaderMessage.Failed broken) {
      throw new IOException(broken.what() + ": " + broken.error().getMessage(), broken.error());
    }
    if (message instanceof ReaderMessage.Found found) {
      restart(retired.hear(found.finding()), output);
    }
    for (ActiveSplit split : active) {
      if (message instanceof ReaderMessage.BlocksFailed broken
          && split.fetchesWith(broken.fetcher())) {
        fail(split, broken.error(), output);
      } else if (message instanceof ReaderMessage.Entry entry
          && entry.entry().runId().equals(split.runId())) {
        apply(split, entry, output);
      } else if (message instanceof ReaderMessage.NoEntry bad && split.awaits(bad)) {
        fail(split, new BrokenRunException(bad.reason()), output);
      } else if (message instanceof ReaderMessage.LogLost lost
          && lost.runId().equals(split.runId())) {
        fail(split, new BrokenRunException("control log " + lost.reason()), output);
      } else if (message instanceof ReaderMessage.Found found
          && split.awaitsPlace(found.finding().splitId())) {
        if (found.finding() instanceof StreamCheck.Placed placed) {
          replace(split, placed.place(), false);
        } else if (found.finding() instanceof StreamCheck.Unplaced unplaced) {
          fail(split, new BrokenRunException(unplaced.reason()), output);
        }
      }
    }
  }

  private void apply(
      ActiveSplit split, ReaderMessage.Entry entry, ReaderOutput<StreamEvent> output) {
    try {
      if (!split.apply(entry.entry(), entry.offset())) {
        ignoredEntries.inc();
      }
    } catch (RuntimeException e) {
      fail(split, e, output);
    }
  }

  private void finish(ActiveSplit split, ReaderOutput<StreamEvent> output) {
    LOG.info("Run {} is {}", split.runId(), split.ending());
    retired.finish(split.snapshot());
    check.finished(split.gate());
    output.collect(new StreamEnded(split.target()));
    drop(split, output);
    context.sendSourceEventToCoordinator(new ReaderEvent.Ended(split.id()));
  }

  private void fail(ActiveSplit split, RuntimeException error, ReaderOutput<StreamEvent> output) {
    if (RestartBackoff.isInVain(error)) {
      LOG.error("Run {} cannot go on; other runs do", split.runId(), error);
      retired.fail(split.snapshot());
      drop(split, output);
      output.collect(new StreamFailure(split.target(), String.valueOf(error.getMessage())));
    } else {
      pause(split, error, output);
    }
  }

  /** Goes on after a while, from where the broker has everything. */
  private void pause(ActiveSplit split, RuntimeException error, ReaderOutput<StreamEvent> output) {
    Duration pause = restarts.fail(split.snapshot(), System.nanoTime());
    drop(split, output);
    String reason =
        "for %d s, and goes on then: %s".formatted(pause.toSeconds(), error.getMessage());
    notices.waits(split.runId(), split.lane(), reason, System.currentTimeMillis());
    LOG.error("Run {} pauses for {} s; other runs go on", split.runId(), pause.toSeconds(), error);
  }

  private void drop(ActiveSplit split, ReaderOutput<StreamEvent> output) {
    active.remove(split);
    if (active.stream().noneMatch(other -> other.runId().equals(split.runId()))) {
      control.leave(split.runId());
    }
    split.close();
    notices.flows(split.runId(), split.lane());
    if (!retired.hasFinished(split.id())) {
      check.remove(split.gate());
    }
    output.releaseOutputForSplit(split.id());
  }

  private void tick() {
    long now = System.nanoTime();
    if (restarts.isDue(now) || active.stream().anyMatch(ActiveSplit::isPaced)) {
      signal.raise();
    }
    if (memory.isShort()) {
      memoryChanged();
    }
    adjusts = true;
    active.forEach(split -> split.reportWait(now, settings.waitReport(), notices));
  }

  @Override
  public List<MixSplit> snapshotState(long checkpointId) {
    List<MixSplit> splits = new ArrayList<>(retired.snapshot(checkpointId));
    splits.addAll(restarts.snapshot());
    active.forEach(split -> splits.add(split.snapshot()));
    return splits;
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) {
    for (String splitId : retired.complete(checkpointId)) {
      context.sendSourceEventToCoordinator(new ReaderEvent.Flushed(splitId));
    }
  }

  @Override
  public CompletableFuture<Void> isAvailable() {
    return signal.future();
  }

  @Override
  public void notifyNoMoreSplits() {
    noMoreSplits = true;
    signal.raise();
  }

  @Override
  public void close() throws InterruptedException {
    control.close();
    controlThread.interrupt();
    notices.close();
    check.close();
    active.forEach(ActiveSplit::close);
    controlThread.join(CLOSE.toMillis());
    check.join(CLOSE);
    for (ActiveSplit split : active) {
      split.join(CLOSE);
    }
  }
}
