package io.sluice.lab.chaos.trainer;

import io.sluice.client.run.RunInfo;
import io.sluice.control.history.TopicScan;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.StreamHeader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Digests of a stream's batches, each sequence taken as the protocol says: in order, once. */
public final class StreamContent {
  private final long[] expected;
  private final Map<Long, TreeMap<Long, Taken>> open = new HashMap<>();
  private final Map<Long, String> digests = new HashMap<>();

  private record Taken(StreamHeader header, byte[] block) {}

  private StreamContent(int partitions) {
    expected = new long[partitions];
    for (int i = 0; i < partitions; i++) {
      expected[i] = i;
    }
  }

  /** Digest of each batch that is whole, by number. */
  public static Map<Long, String> digests(KafkaAccess kafka, RunInfo run) {
    StreamContent content = new StreamContent(run.spec().getStreamPartitions());
    new TopicScan(kafka).read(List.of(kafka.topics().stream(run.name())), content::take);
    return content.digests;
  }

  private void take(ConsumerRecord<byte[], byte[]> message) {
    StreamHeader header =
        StreamHeader.decode(message.headers().lastHeader(StreamHeader.KEY).value());
    if (header.index() != expected[message.partition()]) {
      return;
    }
    expected[message.partition()] += expected.length;
    TreeMap<Long, Taken> batch = open.computeIfAbsent(header.batch(), b -> new TreeMap<>());
    batch.put(header.index(), new Taken(header, message.value()));
    if (batch.size() == header.batchSize()) {
      SequenceDigest digest = new SequenceDigest();
      batch.values().forEach(taken -> digest.add(taken.header(), taken.block()));
      digests.put(header.batch(), digest.hex());
      open.remove(header.batch());
    }
  }
}
