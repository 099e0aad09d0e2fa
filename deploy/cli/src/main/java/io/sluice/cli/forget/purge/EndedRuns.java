package io.sluice.cli.forget.purge;

import io.sluice.control.error.Answers;
import io.sluice.control.error.BadInputException;
import io.sluice.control.history.RunFold;
import io.sluice.control.history.RunLogs;
import io.sluice.control.runs.RunCatalog;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.run.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;

/** The runs that read datasets of which documents are purged. All of them must have ended. */
record EndedRuns(List<Stream> streams) {
  /**
   * The stream of a run.
   *
   * @param topicId Kafka's id of the topic that was made for it; '' if nobody knows
   */
  record Stream(String run, String topicId) {}

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final RecordsToDelete ALL = RecordsToDelete.beforeOffset(-1);

  /**
   * Finds them.
   *
   * @throws BadInputException if one has not ended, with what to do
   */
  static EndedRuns of(KafkaAccess access, Set<String> datasets) {
    RunLogs logs = RunLogs.of(access);
    List<Stream> found = new ArrayList<>();
    List<String> live = new ArrayList<>();
    for (RunCatalog.Entry entry : RunCatalog.read(access).entries()) {
      Optional<RunFold> fold = entry.folded(logs).fold();
      if (fold.isPresent() && datasets.contains(fold.get().spec().getDataset())) {
        if (!Delivery.isDerived(fold.get().spec())) {
          found.add(new Stream(entry.name(), fold.get().streamTopicId()));
        }
        if (!fold.get().state().phase().ended() && !entry.phase().equals("deleted")) {
          live.add(entry.name() + " (dataset " + fold.get().spec().getDataset() + ")");
        }
      }
    }
    if (!live.isEmpty()) {
      throw new BadInputException(
          "--purge needs runs that read these documents' datasets to have ended: "
              + String.join(", ", live)
              + ". They mask the documents already. Stop each by 'sluice run stop', and after the"
              + " purge 'sluice run fork' goes on from its last batch, on the same data");
    }
    return new EndedRuns(found);
  }

  /**
   * Deletes every sequence of the streams; a later run's topic of the same name is not touched.
   *
   * @return the topics
   */
  List<String> emptyStreams(KafkaAccess access, TopicTwins twins) {
    Map<TopicPartition, RecordsToDelete> all = new HashMap<>();
    SortedSet<String> emptied = new TreeSet<>();
    for (Stream stream : streams) {
      String topic = access.topics().stream(stream.run());
      Optional<String> id = twins.id(topic);
      if (id.isPresent() && Set.of(id.get(), "").contains(stream.topicId())) {
        emptied.add(topic);
        twins.partitions(topic).forEach(partition -> all.put(partition, ALL));
      }
    }
    try (Admin admin = Admin.create(access.with(Map.of()))) {
      Answers.await(
          admin.deleteRecords(all).all().toCompletionStage().toCompletableFuture(),
          PATIENCE,
          "emptying streams");
    }
    return List.copyOf(emptied);
  }
}
