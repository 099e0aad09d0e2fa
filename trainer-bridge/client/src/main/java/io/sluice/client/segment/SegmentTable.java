package io.sluice.client.segment;

import io.sluice.client.derive.DomainEnds;
import io.sluice.client.run.RunInfo;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.KafkaUnreachableException;
import io.sluice.schema.Segment;
import io.sluice.schema.TopicReader;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import io.sluice.schema.segment.SealedLanes;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which blocks of a dataset are sealed, and in which segment each is: what the records of a topic
 * say that is read as far as it goes on demand. Not thread-safe.
 */
public final class SegmentTable implements DomainEnds, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SegmentTable.class);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final String topic;
  private final SealedLanes sealed;
  private final Supplier<TopicReader> open;
  private @Nullable TopicReader reader;
  private long taken;

  /** The table of a run's dataset, of which nothing is known yet. */
  public static SegmentTable of(KafkaAccess access, RunInfo run) {
    return new SegmentTable(
        access.topics().segments(run.spec().getDataset()),
        run.spec().getFingerprint(),
        () -> TopicReader.committed(access));
  }

  /**
   * A table of nothing yet.
   *
   * @param fingerprint of the dataset
   * @param open opens readers of what is committed
   */
  public SegmentTable(String topic, long fingerprint, Supplier<TopicReader> open) {
    this.topic = topic;
    this.sealed = new SealedLanes(fingerprint);
    this.open = open;
  }

  /**
   * Reads what has come.
   *
   * @throws KafkaUnreachableException if no broker answers in time
   */
  public void refresh() {
    TopicReader known = reader == null ? open.get() : reader;
    reader = known;
    try {
      known.catchUp(topic, PATIENCE, this::take);
    } catch (KafkaUnreachableException e) {
      close(); // another consumer reads the topic anew
      throw e;
    }
  }

  private void take(ConsumerRecord<byte[], byte[]> message) {
    try {
      sealed.take(WireCodec.decode(Segment.class, message.value()));
      taken++;
    } catch (WireFormatException e) {
      LOG.warn(
          "offset {} of {} is no segment: {}", message.offset(), message.topic(), e.getMessage());
    }
  }

  /** Changes with each record that comes. */
  long version() {
    return taken;
  }

  /** The segment that has a block, if it is sealed. */
  Optional<Segment> find(String domain, int lane, long block) {
    return sealed.at(domain, lane, block);
  }

  /** Blocks of a lane that are sealed: all with ordinals below this. */
  public long sealed(String domain, int lane) {
    return sealed.rows(domain, lane);
  }

  @Override
  public OptionalLong blocks(String domain, int lane) {
    return sealed.ended(domain, lane);
  }

  @Override
  public boolean isInPlace(String domain, int lane) {
    return sealed.isInPlace(domain, lane);
  }

  @Override
  public void close() {
    TopicReader known = reader;
    if (known != null) {
      known.close();
      reader = null;
    }
  }
}
