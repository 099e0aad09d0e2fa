package io.sluice.control.history;

import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.PhaseChange;
import io.sluice.mixture.log.ControlEntry.Refused;
import io.sluice.mixture.log.ControlEntry.Revised;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.TopicReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/** Follows a run's control log from where a fold of it ends. */
public final class RunFollower implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final RunFold fold;
  private final TopicReader reader;

  /** A follower that has not read yet. */
  public RunFollower(KafkaAccess access, RunFold fold) {
    this.fold = fold;
    Consumer<byte[], byte[]> consumer =
        TopicReader.consumer(access, Map.of("isolation.level", "read_committed"));
    TopicPartition log = new TopicPartition(fold.topic(), 0);
    consumer.assign(List.of(log));
    consumer.seek(log, fold.next());
    reader = new TopicReader(access, consumer);
  }

  /** What the log folds to as far as it is read. */
  public RunFold fold() {
    return fold;
  }

  /**
   * Folds what the log has come to have.
   *
   * @param accepted takes the entries that apply, oldest first
   */
  public void catchUp(java.util.function.Consumer<ControlEntry> accepted) {
    reader.catchUp(fold.topic(), PATIENCE, message -> fold.take(message).ifPresent(accepted));
  }

  /** What the log says to a command, if it has come since the last call. */
  public Optional<ControlEntry> answer(String commandId) {
    List<ControlEntry> answers = new ArrayList<>();
    catchUp(
        entry -> {
          if (answers(entry, commandId)) {
            answers.add(entry);
          }
        });
    return answers.stream().findFirst();
  }

  private static boolean answers(ControlEntry entry, String commandId) {
    return (entry.body() instanceof PhaseChange change && change.commandId().equals(commandId))
        || (entry.body() instanceof Refused refused && refused.commandId().equals(commandId))
        || (entry.body() instanceof Revised revised && revised.commandId().equals(commandId));
  }

  @Override
  public void close() {
    reader.close();
  }
}
