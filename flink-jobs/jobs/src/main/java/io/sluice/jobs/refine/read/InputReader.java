package io.sluice.jobs.refine.read;

import io.sluice.control.refine.RefineLog;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RefineRound;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.TopicReader;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.flink.connector.base.source.reader.RecordsBySplits;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.splitreader.SplitReader;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsChange;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/**
 * Reads what is committed of the inputs, round by round: those that the log has as they were, and
 * then new ones, each up to where the inputs end when it begins.
 */
final class InputReader implements SplitReader<ReadStep, RefinePosition> {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration POLL = Duration.ofMillis(500);

  /** From one new round to the next: nobody sees its documents sooner than a checkpoint. */
  private static final long ROUND_NANOS = Duration.ofSeconds(2).toNanos();

  private static final byte[] TOMBSTONE = {};
  private static final int NONE = -1;

  private final RefineSpec spec;
  private final List<TopicPartition> inputs;
  private final RefineLog log;
  private final Consumer<byte[], byte[]> consumer;
  private @Nullable RefinePosition position;
  private Map<Long, RefineRound> logged = Map.of();
  private int current = NONE;
  private long roundDue = System.nanoTime();

  InputReader(KafkaAccess access, RefineSpec spec) {
    this.spec = spec;
    this.inputs =
        spec.getInputs().stream()
            .map(input -> new TopicPartition(access.topics().corpus(input), 0))
            .toList();
    this.log = new RefineLog(access, spec.getName());
    this.consumer =
        TopicReader.consumer(
            access,
            Map.of("isolation.level", "read_committed", "client.id", "refine-" + spec.getName()));
    // The client warns of each partition whose end is asked for while it is not assigned.
    consumer.assign(inputs);
    consumer.pause(inputs);
    inputs.forEach(input -> consumer.seek(input, 0));
  }

  @Override
  public void handleSplitsChanges(SplitsChange<RefinePosition> changes) {
    position = changes.splits().get(0);
    logged = log.rounds(changes.splits().get(0).rounds(), PATIENCE);
  }

  @Override
  public RecordsWithSplitIds<ReadStep> fetch() throws IOException {
    RefinePosition here = position;
    if (here == null) {
      return nothing();
    }
    List<ReadStep> steps;
    try {
      steps = here.input() < 0 ? nextRound(here) : read(here, here.input());
    } catch (WakeupException woken) {
      return nothing();
    }
    for (ReadStep step : steps) {
      here = step(here, step);
    }
    position = here;
    return steps.isEmpty()
        ? nothing()
        : new RecordsBySplits<>(Map.of(here.splitId(), steps), Set.of());
  }

  static RefinePosition step(RefinePosition from, ReadStep step) {
    if (step instanceof ReadStep.Round round) {
      return from.toRound(round.ends());
    }
    if (step instanceof ReadStep.Taken taken) {
      return from.behind(taken.input(), taken.offset());
    }
    ReadStep.Passed passed = (ReadStep.Passed) step;
    return from.passed(passed.input(), passed.offset());
  }

  private List<ReadStep> nextRound(RefinePosition here) {
    RefineRound before = logged.get(here.rounds());
    if (before != null) {
      if (before.getRecords() != here.records() || before.getEnds().size() != inputs.size()) {
        throw new IllegalStateException(
            String.format(
                "refinery '%s' does not read as it did: its round %d began after %d records of %d"
                    + " inputs, and now after %d of %d",
                spec.getName(),
                here.rounds(),
                before.getRecords(),
                before.getEnds().size(),
                here.records(),
                inputs.size()));
      }
      return List.of(new ReadStep.Round(before.getEnds()));
    }
    if (System.nanoTime() - roundDue < 0) {
      return pause();
    }
    List<Long> ends = ends();
    boolean more = false;
    for (int i = 0; i < ends.size(); i++) {
      more |= ends.get(i) > here.offsets().get(i);
    }
    if (!more) {
      return pause();
    }
    roundDue = System.nanoTime() + ROUND_NANOS;
    return List.of(new ReadStep.Round(ends));
  }

  private List<Long> ends() {
    Map<TopicPartition, Long> ends = consumer.endOffsets(inputs, PATIENCE);
    return inputs.stream().map(input -> Objects.requireNonNull(ends.get(input))).toList();
  }

  /** Waits as a poll does, which a wake-up ends. */
  private List<ReadStep> pause() {
    turnTo(NONE);
    consumer.poll(POLL);
    return List.of();
  }

  private List<ReadStep> read(RefinePosition here, int input) {
    long next = here.offsets().get(input);
    long end = here.ends().get(input);
    if (current != input) {
      turnTo(input);
      consumer.seek(inputs.get(input), next);
    }
    List<ReadStep> steps = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> message : consumer.poll(POLL)) {
      if (message.offset() >= end) {
        // It is of a later round, and is read again then.
        turnTo(NONE);
        break;
      }
      steps.add(
          new ReadStep.Taken(
              input,
              message.offset(),
              message.timestamp(),
              message.value() == null ? TOMBSTONE : message.value()));
    }
    if (current == NONE || consumer.position(inputs.get(input)) >= end) {
      // What is left before the end are marks of transactions.
      steps.add(new ReadStep.Passed(input, end));
      turnTo(NONE);
    }
    return steps;
  }

  /** Records of one input are read at a time, or of none. */
  private void turnTo(int input) {
    consumer.pause(inputs);
    if (input != NONE) {
      consumer.resume(List.of(inputs.get(input)));
    }
    current = input;
  }

  @Override
  public void pauseOrResumeSplits(
      Collection<RefinePosition> splitsToPause, Collection<RefinePosition> splitsToResume) {
    throw new UnsupportedOperationException("there are no watermarks to align");
  }

  @Override
  public void wakeUp() {
    consumer.wakeup();
  }

  @Override
  public void close() {
    consumer.close();
  }

  private static RecordsWithSplitIds<ReadStep> nothing() {
    return new RecordsBySplits<>(Map.of(), Set.of());
  }
}
