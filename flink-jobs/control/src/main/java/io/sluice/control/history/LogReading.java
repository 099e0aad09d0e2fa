package io.sluice.control.history;

import io.sluice.control.error.BadInputException;
import io.sluice.mixture.log.ControlEntry;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** One reading of a topic for a run's log, from its start or a snapshot on. */
public final class LogReading {
  private final RunStart start;
  private final long offset;
  private final Function<LoggedEntry, RunFold> begun;
  private final Consumer<ControlEntry> accepted;
  private @Nullable RunFold fold;

  /**
   * A reading of all of a run's log, nothing of which is read yet.
   *
   * @param accepted takes the entries that apply, oldest first
   */
  public LogReading(RunStart start, Consumer<ControlEntry> accepted) {
    this(start, start.offset(), RunFold::begun, accepted);
  }

  /**
   * A reading of nothing yet.
   *
   * @param offset of the first entry that it takes
   * @param begun what the first entry alone folds to
   * @param accepted takes the entries that apply, oldest first
   */
  LogReading(
      RunStart start,
      long offset,
      Function<LoggedEntry, RunFold> begun,
      Consumer<ControlEntry> accepted) {
    this.start = start;
    this.offset = offset;
    this.begun = begun;
    this.accepted = accepted;
  }

  /** Takes the next record of the topic. */
  public void take(ConsumerRecord<byte[], byte[]> message) {
    if (fold != null) {
      fold.take(message).ifPresent(accepted);
    } else if (message.offset() == offset) {
      LoggedEntry.read(message, start.runId()::equals).ifPresent(this::begin);
    }
  }

  private void begin(LoggedEntry first) {
    fold = begun.apply(first);
    accepted.accept(first.entry());
  }

  /** Whether the first entry was there. */
  public boolean isBegun() {
    return fold != null;
  }

  /**
   * What the log folds to as far as it was read.
   *
   * @throws BadInputException if its start has gone since it was seen
   */
  public RunFold fold() {
    if (fold == null) {
      throw new BadInputException(
          "the control log of run '" + start.runId() + "' is gone: " + start.topic());
    }
    return fold;
  }
}
