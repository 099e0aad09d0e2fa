package io.sluice.jobs.mix.rest;

import io.sluice.schema.Topics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
public final class RestingReader<T> extends KeepingReader<T> {
  private final SourceReaderContext context;
  private final AskedCommands<T> commands;
  private final RestingSplits resting;

  /** Splits of whom nobody has told yet whether they rest. */
  private final Map<String, KafkaPartitionSplit> untold = new HashMap<>();

  /** Splits that rest, and for which Flink has made outputs. */
  private final Set<String> unused = new HashSet<>();

  private boolean told;
  private @Nullable AnsweredCommandsFilter<T> filter;

  /** Round a reader that has no splits yet. */
  public RestingReader(
      SourceReader<T, KafkaPartitionSplit> reader,
      SourceReaderContext context,
      Topics topics,
      AskedCommands<T> commands) {
    super(reader);
    this.context = context;
    this.resting = new RestingSplits(topics);
    this.commands = commands;
  }

  @Override
  public void start() {
    super.start();
    context.sendSourceEventToCoordinator(new RestNews.Asked());
  }

  @Override
  public void addSplits(List<KafkaPartitionSplit> splits) {
    List<KafkaPartitionSplit> all = new ArrayList<>();
    for (KafkaPartitionSplit split : splits) {
      if (split instanceof KeptSplits kept) {
        all.addAll(kept.take());
      } else {
        all.add(split);
        unused.add(split.splitId());
      }
    }
    give(all);
  }

  /** Hands on the splits that are to be read. */
  private void give(List<KafkaPartitionSplit> splits) {
    List<KafkaPartitionSplit> readable = new ArrayList<>();
    for (KafkaPartitionSplit split : splits) {
      if (!told) {
        untold.put(split.splitId(), split);
      } else if (!resting.keep(split)) {
        readable.add(split);
        unused.remove(split.splitId());
      }
    }
    read(readable);
  }

  @Override
  public void handleSourceEvents(SourceEvent event) {
    if (event instanceof RestNews.Told news) {
      news.runs().forEach(resting::add);
      told |= news.all();
      if (told) {
        List<KafkaPartitionSplit> all = List.copyOf(untold.values());
        untold.clear();
        give(all);
      }
    } else if (event instanceof RestNews.Woken news) {
      news.runIds().forEach(runId -> give(resting.wake(runId)));
    } else {
      super.handleSourceEvents(event);
    }
  }

  /** Whether nobody needs a record; who asks for something new wakes its run. */
  private boolean isAnswered(T event) {
    RestingRun run = resting.isEmpty() ? null : resting.run(commands.run(event));
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
    if (told) {
      unused.forEach(own::releaseOutputForSplit);
      unused.clear();
    }
    return super.pollNext(own);
  }

  @Override
  protected Collection<KafkaPartitionSplit> packed(Collection<KafkaPartitionSplit> kept) {
    return kept.isEmpty()
        ? kept
        : List.of(new KeptSplits(context.getIndexOfSubtask(), List.copyOf(kept)));
  }

  @Override
  protected Collection<KafkaPartitionSplit> kept() {
    List<KafkaPartitionSplit> kept = resting.splits();
    kept.addAll(untold.values());
    return kept;
  }
}
