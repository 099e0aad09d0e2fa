package io.sluice.control.domain;

import io.sluice.schema.EndOfDomain;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.KafkaUnreachableException;
import io.sluice.schema.TopicReader;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Where the corpora of a deployment's domains end, as far as they are committed. Every method
 * throws {@link KafkaUnreachableException} when no broker answers.
 */
public record CorpusEnds(KafkaAccess access) {
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final byte[] TOMBSTONE = {};

  /** The domains that have a corpus, in the order of their names. */
  public Set<String> domains() {
    String prefix = access.topics().corpus("");
    Set<String> domains = new TreeSet<>();
    try (Consumer<byte[], byte[]> consumer = consumer()) {
      for (String topic : consumer.listTopics(PATIENCE).keySet()) {
        if (topic.startsWith(prefix)) {
          domains.add(topic.substring(prefix.length()));
        }
      }
      return domains;
    } catch (TimeoutException e) {
      throw unreachable(e);
    }
  }

  /** The end of a domain's corpus, which must exist. */
  public CorpusEnd of(String domain) {
    return Objects.requireNonNull(existing(List.of(domain)).get(domain));
  }

  /** The ends of domains' corpora by their names; one that does not exist is empty. */
  public Map<String, CorpusEnd> of(Collection<String> domains) {
    Set<String> known = domains();
    Map<String, CorpusEnd> ends =
        new TreeMap<>(existing(domains.stream().filter(known::contains).toList()));
    domains.forEach(domain -> ends.putIfAbsent(domain, CorpusEnd.EMPTY));
    return ends;
  }

  private Map<String, CorpusEnd> existing(Collection<String> domains) {
    Map<TopicPartition, String> places = new HashMap<>();
    domains.forEach(
        domain -> places.put(new TopicPartition(access.topics().corpus(domain), 0), domain));
    Map<String, CorpusEnd> found = new HashMap<>();
    try (Consumer<byte[], byte[]> consumer = consumer()) {
      Map<TopicPartition, Long> ends = consumer.endOffsets(places.keySet(), PATIENCE);
      Set<TopicPartition> filled = new HashSet<>(places.keySet());
      filled.removeIf(place -> ends.getOrDefault(place, 0L) == 0);
      consumer.assign(filled);
      places.values().forEach(domain -> found.put(domain, CorpusEnd.EMPTY));
      readLast(consumer, filled, ends)
          .forEach(
              (place, last) -> {
                String domain = Objects.requireNonNull(places.get(place));
                long records = Objects.requireNonNull(ends.get(place));
                found.put(domain, new CorpusEnd(records, isEndOf(domain, last)));
              });
      return found;
    } catch (TimeoutException e) {
      throw unreachable(e);
    }
  }

  /**
   * The value of the last record of each partition that has one; empty for a tombstone. Before an
   * end may be marks of transactions, which are no records: then it is looked for further in front.
   */
  private static Map<TopicPartition, byte[]> readLast(
      Consumer<byte[], byte[]> consumer,
      Set<TopicPartition> partitions,
      Map<TopicPartition, Long> ends) {
    Map<TopicPartition, byte[]> values = new HashMap<>();
    Set<TopicPartition> left = new HashSet<>(partitions);
    for (long before = 1; !left.isEmpty(); before *= 8) {
      long back = before;
      left.forEach(
          place ->
              consumer.seek(place, Math.max(0, Objects.requireNonNull(ends.get(place)) - back)));
      readOn(consumer, left, ends, values);
      left.removeIf(place -> values.containsKey(place) || ends.getOrDefault(place, 0L) <= back);
    }
    return values;
  }

  /** Reads to the ends, and keeps the last value of each partition. */
  private static void readOn(
      Consumer<byte[], byte[]> consumer,
      Set<TopicPartition> partitions,
      Map<TopicPartition, Long> ends,
      Map<TopicPartition, byte[]> values) {
    Set<TopicPartition> open = new HashSet<>(partitions);
    long moved = System.nanoTime();
    while (!open.isEmpty()) {
      for (ConsumerRecord<byte[], byte[]> last : consumer.poll(POLL)) {
        TopicPartition place = new TopicPartition(last.topic(), last.partition());
        // What is written meanwhile came later than the end that was asked for.
        if (last.offset() < ends.getOrDefault(place, 0L)) {
          values.put(place, last.value() == null ? TOMBSTONE : last.value());
        }
      }
      if (open.removeIf(place -> consumer.position(place) >= ends.getOrDefault(place, 0L))) {
        moved = System.nanoTime();
      } else if (System.nanoTime() - moved > PATIENCE.toNanos()) {
        throw new TimeoutException(
            "the last records of " + open.size() + " corpora do not come, of " + partitions.size());
      }
    }
  }

  /** Whether a record ends the domain in whose corpus it is: PrepareJob refuses other markers. */
  static boolean isEndOf(String domain, byte[] value) {
    try {
      return WireCodec.decode(value) instanceof EndOfDomain marker
          && marker.getDomain().equals(domain);
    } catch (WireFormatException e) {
      // PrepareJob writes it to the dead letters.
      return false;
    }
  }

  private Consumer<byte[], byte[]> consumer() {
    return TopicReader.consumer(access, Map.of("isolation.level", "read_committed"));
  }

  private KafkaUnreachableException unreachable(TimeoutException e) {
    return new KafkaUnreachableException(access.bootstrapServers(), PATIENCE, e);
  }
}
