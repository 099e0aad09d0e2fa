package io.sluice.jobs.mix.rest;

import io.sluice.schema.Topics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.InputStatus;
import org.jspecify.annotations.Nullable;

/**
 * A reader that reads nothing of runs that rest. It begins once it is told who does: until then,
 * and while a run rests, its splits are only kept. Commands of such a run of which nothing more
 * comes are passed over, as is what started it; any other wakes it, and goes on at once.
 */
public final class RestingReader<T> implements SourceReader<T, KafkaPartitionSplit> {
  private final SourceReader<T, KafkaPartitionSplit> reader;
  private final SourceReaderContext context;
  private final Topics topics;
  private final AskedCommands<T> commands;
  private final Map<String, RestingRun> resting = new HashMap<>();

  /** Where the topics of those runs end. */
  private final Map<String, Long> ends = new HashMap<>();

  private final Map<String, KafkaPartitionSplit> kept = new HashMap<>();
  private boolean told;
  private @Nullable AnsweredCommandsFilter<T> filter;

  /** Round a reader that has no splits yet. */
  public RestingReader(
      SourceReader<T, KafkaPartitionSplit> reader,
      SourceReaderContext context,
      Topics topics,
      AskedCommands<T> commands) {
    this.reader = reader;
    this.context = context;
    this.topics = topics;
    this.commands = commands;
  }

  @Override
  public void start() {
    reader.start();
    context.sendSourceEventToCoordinator(new RestNews.Asked());
  }

  @Override
  public void addSplits(List<KafkaPartitionSplit> splits) {
    List<KafkaPartitionSplit> readable = new ArrayList<>();
    for (KafkaPartitionSplit split : splits) {
      if (told && !isAtRest(split)) {
        readable.add(split);
      } else {
        kept.put(split.splitId(), split);
      }
    }
    if (!readable.isEmpty()) {
      reader.addSplits(readable);
    }
  }

  /** Whether a split has nothing that was not read. */
  private boolean isAtRest(KafkaPartitionSplit split) {
    return split.getStartingOffset() >= ends.getOrDefault(split.getTopic(), Long.MAX_VALUE);
  }

  @Override
  public void handleSourceEvents(SourceEvent event) {
    if (event instanceof RestNews.Told news) {
      for (RestingRun run : news.runs()) {
        resting.put(run.runId(), run);
        ends.put(topics.control(run.runId()), run.logEnd());
        ends.put(topics.feedback(run.run()), run.feedbackEnd());
      }
      told |= news.all();
      readOn();
    } else if (event instanceof RestNews.Woken news) {
      news.runIds().forEach(this::wake);
      readOn();
    } else {
      reader.handleSourceEvents(event);
    }
  }

  private void wake(String runId) {
    RestingRun run = resting.remove(runId);
    if (run != null) {
      ends.remove(topics.control(run.runId()));
      ends.remove(topics.feedback(run.run()));
    }
  }

  /** Reads those that are kept and need not be. */
  private void readOn() {
    if (told) {
      List<KafkaPartitionSplit> all = List.copyOf(kept.values());
      kept.clear();
      addSplits(all);
    }
  }

  /** Whether nobody needs a record; who asks for something new wakes its run. */
  private boolean isAnswered(T event) {
    RestingRun run = resting.isEmpty() ? null : resting.get(commands.run(event));
    if (run == null) {
      return false;
    }
    if (run.hasSettled(commands.of(event))) {
      return true;
    }
    context.sendSourceEventToCoordinator(new RestNews.Called(run.runId()));
    return false;
  }

  @Override
  public InputStatus pollNext(ReaderOutput<T> output) throws Exception {
    AnsweredCommandsFilter<T> own = filter;
    if (own == null || own.output() != output) {
      own = new AnsweredCommandsFilter<>(output, this::isAnswered);
      filter = own;
    }
    return reader.pollNext(own);
  }

  @Override
  public CompletableFuture<Void> isAvailable() {
    return reader.isAvailable();
  }

  @Override
  public List<KafkaPartitionSplit> snapshotState(long checkpointId) {
    List<KafkaPartitionSplit> splits = new ArrayList<>(reader.snapshotState(checkpointId));
    splits.addAll(kept.values());
    return splits;
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) throws Exception {
    reader.notifyCheckpointComplete(checkpointId);
  }

  @Override
  public void notifyCheckpointAborted(long checkpointId) throws Exception {
    reader.notifyCheckpointAborted(checkpointId);
  }

  @Override
  public void pauseOrResumeSplits(Collection<String> pause, Collection<String> resume) {
    Set<String> idle = kept.keySet();
    reader.pauseOrResumeSplits(
        pause.stream().filter(id -> !idle.contains(id)).toList(),
        resume.stream().filter(id -> !idle.contains(id)).toList());
  }

  @Override
  public void notifyNoMoreSplits() {
    reader.notifyNoMoreSplits();
  }

  @Override
  public void close() throws Exception {
    reader.close();
  }
}
