package io.sluice.jobs.mix.reweight;

import io.sluice.schema.DeadLetter;
import io.sluice.schema.DeadLetters;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.WireCodec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.async.ResultFuture;
import org.apache.flink.streaming.api.functions.async.RichAsyncFunction;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;

/**
 * Deletes the records of streams that no trainer will read again. In each partition that is
 * everything before the first record of a batch that is still needed, whatever lies behind it:
 * after a rewind, what the old timeline emitted beyond that batch holds the new timeline's records
 * back, and never the other way round. The last batch before that stays, or, where a partition has
 * nothing of it, one record: whoever has only the stream begins with one that every trainer has
 * taken. A failure becomes a dead letter and costs disk, nothing else.
 */
final class ReclaimStreams extends RichAsyncFunction<Reclaim, KeyedRecord> {
  private static final long serialVersionUID = 1L;
  private static final String WAIT_MILLIS = "20000";

  private final KafkaAccess kafka;
  private transient Admin admin;
  private transient ExecutorService worker;

  @SuppressWarnings("NullAway.Init")
  ReclaimStreams(KafkaAccess kafka) {
    this.kafka = kafka;
  }

  @Override
  public void open(OpenContext context) {
    admin =
        Admin.create(
            kafka.with(
                Map.of("request.timeout.ms", WAIT_MILLIS, "default.api.timeout.ms", WAIT_MILLIS)));
    worker = Executors.newSingleThreadExecutor(task -> new Thread(task, "sluice-reclaim"));
  }

  @Override
  public void asyncInvoke(Reclaim reclaim, ResultFuture<KeyedRecord> result) {
    worker.execute(() -> result.complete(perform(reclaim)));
  }

  @Override
  public void timeout(Reclaim reclaim, ResultFuture<KeyedRecord> result) {
    result.complete(List.of(failure(reclaim, "no answer in time")));
  }

  /** Nothing, or what went wrong. */
  private List<KeyedRecord> perform(Reclaim reclaim) {
    try {
      delete(admin, kafka.topics().stream(reclaim.run), reclaim);
      return List.of();
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      return List.of(failure(reclaim, String.valueOf(e.getCause() == null ? e : e.getCause())));
    }
  }

  /**
   * Deletes what lies before the first record of a needed batch, but the last of it, in each
   * partition that has such a record.
   */
  static void delete(Admin admin, String topic, Reclaim reclaim) throws Exception {
    TopicDescription found =
        Objects.requireNonNull(
            admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic));
    if (!found.topicId().toString().equals(reclaim.streamTopicId)) {
      throw new IllegalStateException(
          "topic " + topic + " must have the id " + reclaim.streamTopicId + ": " + found.topicId());
    }
    Map<TopicPartition, Long> last = firsts(admin, topic, found, reclaim.before - 1);
    Map<TopicPartition, RecordsToDelete> cut = new HashMap<>();
    firsts(admin, topic, found, reclaim.before)
        .forEach(
            (partition, first) -> {
              long kept = Math.min(first - 1, last.getOrDefault(partition, first));
              if (kept > 0) {
                cut.put(partition, RecordsToDelete.beforeOffset(kept));
              }
            });
    admin.deleteRecords(cut).all().get();
  }

  /** Offset of the first record of a batch or a later one; −1 where there is none. */
  private static Map<TopicPartition, Long> firsts(
      Admin admin, String topic, TopicDescription found, long batch) throws Exception {
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    for (TopicPartitionInfo partition : found.partitions()) {
      asked.put(new TopicPartition(topic, partition.partition()), OffsetSpec.forTimestamp(batch));
    }
    Map<TopicPartition, Long> firsts = new HashMap<>();
    admin
        .listOffsets(asked)
        .all()
        .get()
        .forEach((partition, first) -> firsts.put(partition, first.offset()));
    return firsts;
  }

  private KeyedRecord failure(Reclaim reclaim, String reason) {
    DeadLetter letter =
        DeadLetters.of(
            "reclaim",
            kafka.topics().stream(reclaim.run),
            -1,
            0,
            "records of batches before " + reclaim.before + " stay: " + reason,
            new byte[0],
            System.currentTimeMillis());
    return new KeyedRecord(reclaim.runId, WireCodec.encode(letter));
  }

  @Override
  public void close() {
    if (worker != null) {
      worker.shutdownNow();
      admin.close(java.time.Duration.ZERO);
    }
  }
}
