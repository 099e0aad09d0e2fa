package io.sluice.service.seal;

import io.sluice.control.topics.TopicAdmin;
import io.sluice.corpus.inplace.RowScan;
import io.sluice.corpus.inplace.RowSplit;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.EndOfDomain;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Segment;
import io.sluice.schema.Supply;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.Topics;
import io.sluice.schema.WireCodec;
import io.sluice.schema.segment.SealedLanes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Writes what is found of a domain whose blocks are in place: sides into the store, and then
 * records in transactions. Nothing counts before the last one, which has the supply. Who opens
 * another of the dataset ends this.
 */
final class PlaceWriter implements RowScan.Sink, AutoCloseable {
  private static final long MOST_BYTES = 32 << 20;
  private static final Duration LONGEST_TRANSACTION = Duration.ofMinutes(10);

  private final DatasetSpec spec;
  private final Topics topics;
  private final StoreFolder folder;
  private final InstantSource clock;
  private final LongConsumer progress;
  private final Producer<byte[], byte[]> producer;
  private final List<Segment.Builder> segments = new ArrayList<>();
  private final List<List<byte[]>> sides = new ArrayList<>();
  private long bytes;
  private boolean begun;

  /**
   * Becomes the writer of a dataset's index.
   *
   * @param progress hears of bytes that were read
   */
  PlaceWriter(
      KafkaAccess access,
      DatasetSpec spec,
      StoreFolder folder,
      InstantSource clock,
      LongConsumer progress) {
    this.spec = spec;
    this.topics = access.topics();
    this.folder = folder;
    this.clock = clock;
    this.progress = progress;
    Map<String, Object> own =
        Map.of(
            "acks",
            "all",
            "max.request.size",
            TopicAdmin.BLOCK_BYTES,
            "transaction.timeout.ms",
            (int) LONGEST_TRANSACTION.toMillis(),
            "transactional.id",
            topics.datasetsPrefix() + "indexer." + spec.getName());
    ByteArraySerializer serializer = new ByteArraySerializer();
    this.producer = new KafkaProducer<>(access.with(own), serializer, serializer);
  }

  /** Ends what the writer before has left open. */
  void begin() {
    producer.initTransactions();
  }

  @Override
  public void training(Segment.Builder segment, byte[] side) throws IOException {
    segments.add(segment);
    sides.add(List.of(side));
    bytes += side.length;
    if (bytes >= MOST_BYTES) {
      sendSegments();
      commit();
    }
  }

  @Override
  public void heldOut(TokenBlock block) {
    send(
        topics.eval(spec.getName(), block.getDomain()),
        block.getLane(),
        block.getOrdinal(),
        null,
        block);
  }

  @Override
  public void read(long more) {
    progress.accept(more);
  }

  /** Says what is left to say, and that this is all of the domain. */
  void end(String domain, RowSplit split, long documents) throws IOException {
    sendSegments();
    for (int lane = 0; lane < split.lanes(); lane++) {
      long held = split.evalBlocks(lane);
      send(
          topics.eval(spec.getName(), domain),
          lane,
          held,
          null,
          new EndOfDomain(domain, lane, held));
      Supply supply =
          Supply.newBuilder()
              .setDataset(spec.getName())
              .setFingerprint(spec.getFingerprint())
              .setDomain(domain)
              .setLane(lane)
              .setBlocks(split.blocks(lane))
              .setEvalBlocks(held)
              .setTrainedTokens(split.training() * spec.getSequenceLength())
              .setDocuments(documents)
              .setEnded(true)
              .build();
      send(topics.supply(spec.getName()), 0, supply.getBlocks(), domain + "/" + lane, supply);
    }
    commit();
  }

  private void sendSegments() throws IOException {
    if (segments.isEmpty()) {
      return;
    }
    var stored = folder.storeSides(sides);
    for (int i = 0; i < stored.size(); i++) {
      Segment segment =
          segments.get(i).setSide(stored.get(i)).setTimeMillis(clock.millis()).build();
      send(
          topics.segments(spec.getName()),
          0,
          segment.getTimeMillis(),
          SealedLanes.key(segment),
          segment);
    }
    segments.clear();
    sides.clear();
    bytes = 0;
  }

  private void send(
      String topic, int partition, long timestamp, @Nullable String key, SpecificRecordBase body) {
    if (!begun) {
      producer.beginTransaction();
      begun = true;
    }
    byte[] bytesOfKey = key == null ? null : key.getBytes(StandardCharsets.UTF_8);
    var unused =
        producer.send(
            new ProducerRecord<>(topic, partition, timestamp, bytesOfKey, WireCodec.encode(body)));
  }

  private void commit() {
    producer.commitTransaction();
    begun = false;
  }

  @Override
  public void close() {
    producer.close(Duration.ZERO);
  }
}
