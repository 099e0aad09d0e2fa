package io.sluice.control.domain;

import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Supply;
import io.sluice.schema.TopicReader;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is prepared of a dataset's domains, as its supply topic goes on to say. */
public final class PreparedDomains implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PreparedDomains.class);
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final TopicReader reader;
  private final String topic;
  private final Map<String, Map<Integer, Supply>> lanes = new TreeMap<>();

  /** Follows a dataset's supply from its first record on. */
  public PreparedDomains(KafkaAccess access, String dataset) {
    this.reader = TopicReader.committed(access);
    this.topic = access.topics().supply(dataset);
  }

  /** What is prepared of a dataset's domains now; see {@link #now}. */
  public static Map<String, Supply> read(KafkaAccess access, String dataset) {
    try (PreparedDomains domains = new PreparedDomains(access, dataset)) {
      return domains.now();
    }
  }

  /** The newest supply of each lane of each domain of a dataset, by domain and lane. */
  public static List<Supply> lanes(KafkaAccess access, String dataset) {
    try (PreparedDomains domains = new PreparedDomains(access, dataset)) {
      domains.now();
      return domains.lanes.values().stream().flatMap(parts -> parts.values().stream()).toList();
    }
  }

  /**
   * The newest supply of each domain, its lanes together, by name; domains without are absent.
   *
   * @throws io.sluice.schema.KafkaUnreachableException if no broker answers
   */
  public Map<String, Supply> now() {
    reader.catchUp(topic, PATIENCE, this::take);
    Map<String, Supply> newest = new TreeMap<>();
    lanes.forEach(
        (domain, parts) ->
            newest.put(domain, parts.values().stream().reduce(PreparedDomains::together).get()));
    return newest;
  }

  private void take(ConsumerRecord<byte[], byte[]> message) {
    try {
      Supply said = WireCodec.decode(Supply.class, message.value());
      lanes.computeIfAbsent(said.getDomain(), domain -> new TreeMap<>()).put(said.getLane(), said);
    } catch (WireFormatException e) {
      LOG.debug("offset {} of {} is passed over: {}", message.offset(), topic, e.getMessage());
    }
  }

  /**
   * Blocks are of a lane; tokens, documents and the end are the domain's, in each of its lanes; the
   * ledger is in one.
   */
  private static Supply together(Supply one, Supply other) {
    return Supply.newBuilder(one)
        .setBlocks(one.getBlocks() + other.getBlocks())
        .setEvalBlocks(one.getEvalBlocks() + other.getEvalBlocks())
        .setTrainedTokens(Math.max(one.getTrainedTokens(), other.getTrainedTokens()))
        .setPadding(Math.max(one.getPadding(), other.getPadding()))
        .setDocuments(Math.max(one.getDocuments(), other.getDocuments()))
        .setEnded(one.getEnded() && other.getEnded())
        .setLedger(one.getLedger() == null ? other.getLedger() : one.getLedger())
        .build();
  }

  @Override
  public void close() {
    reader.close();
  }
}
