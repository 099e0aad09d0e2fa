package io.sluice.lab.bench.age;

import io.sluice.lab.bench.measure.BlockTopics;
import io.sluice.schema.ChainHash;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.MixtureGrant;
import io.sluice.schema.RunStarted;
import io.sluice.schema.StreamHeader;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * The stream of one partition that MixJob would write for a run whose batches are one sequence: so
 * small a batch has no order of its own.
 */
final class WrittenStream {
  private static final int LANE = 0;

  private final BlockTopics blocks;
  private final String topic;
  private final Consumer<ProducerRecord<byte[], byte[]>> sent;
  private final long[] domains;
  private final long[] used;
  private long chain;

  /** A stream without a sequence. */
  WrittenStream(BlockTopics blocks, String topic, Consumer<ProducerRecord<byte[], byte[]>> sent) {
    this.blocks = blocks;
    this.topic = topic;
    this.sent = sent;
    DatasetSpec dataset = blocks.spec();
    this.domains =
        dataset.getDomains().stream()
            .mapToLong(name -> ChainHash.domain(dataset.getFingerprint(), name))
            .toArray();
    this.used = new long[domains.length];
  }

  /** Writes what an entry of the run's log grants. */
  void follow(ControlRecord entry) {
    if (entry.getBody() instanceof RunStarted started) {
      chain = ChainHash.start(started.getPlanVersion(), entry.getRunId());
    } else if (entry.getBody() instanceof MixtureGrant grant) {
      emit(entry.getTimeline(), grant);
    }
  }

  private void emit(int timeline, MixtureGrant grant) {
    List<Integer> counts = grant.getCounts();
    for (int i = 0; i < counts.size(); i++) {
      if (counts.get(i) == 1) {
        long index = grant.getFirstSequence() + i / domains.length;
        emit(timeline, index, grant.getWeightsVersion(), i % domains.length);
      }
    }
  }

  private void emit(int timeline, long index, int version, int domain) {
    long ordinal = used[domain]++;
    chain = ChainHash.next(chain, index, domains[domain], LANE, ordinal);
    long batch = index + 1;
    StreamHeader header =
        new StreamHeader(timeline, batch, index, 1, index, version, ordinal, chain);
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(
            topic, 0, batch, null, blocks.block(domain, LANE, Math.toIntExact(ordinal)));
    record.headers().add(StreamHeader.KEY, header.encode());
    sent.accept(record);
  }
}
