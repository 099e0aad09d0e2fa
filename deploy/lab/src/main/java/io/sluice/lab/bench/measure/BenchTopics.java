package io.sluice.lab.bench.measure;

import io.sluice.control.error.UnreachableException;
import io.sluice.control.topics.TopicLeaders;
import io.sluice.jobs.mix.stream.StreamSinkSettings;
import io.sluice.schema.KafkaAccess;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.TopicPartition;

/**
 * Topics of the benchmarks, which may be many, and the settings of the producers that write plain
 * copies: those of the streams.
 */
public final class BenchTopics {
  /** The controller takes so many at once. */
  private static final int AT_ONCE = 500;

  private static final Duration WAIT = Duration.ofSeconds(30);
  private static final Duration POLL = Duration.ofMillis(100);

  private BenchTopics() {}

  /** Creates a topic of the given name. */
  public static void create(KafkaAccess kafka, String topic, int partitions) {
    create(kafka, List.of(new NewTopic(topic, partitions, (short) 1)));
  }

  /** Creates topics, some hundred at a time. */
  static void create(KafkaAccess kafka, List<NewTopic> wanted) {
    try (Admin admin = Admin.create(kafka.with(Map.of()))) {
      for (int from = 0; from < wanted.size(); from += AT_ONCE) {
        List<NewTopic> some = wanted.subList(from, Math.min(from + AT_ONCE, wanted.size()));
        admin.createTopics(some).all().get();
        TopicLeaders.await(admin, some.stream().map(NewTopic::name).toList(), WAIT);
      }
    } catch (ExecutionException e) {
      throw new UnreachableException("cannot create topics: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnreachableException("interrupted while topics were created", e);
    }
  }

  /** All partitions of a topic that has so many. */
  public static List<TopicPartition> partitions(String topic, int partitions) {
    return IntStream.range(0, partitions).mapToObj(p -> new TopicPartition(topic, p)).toList();
  }

  /**
   * Deletes topics and returns when the broker has forgotten them: until then it works on that, and
   * is late with all else.
   */
  public static void delete(KafkaAccess kafka, List<String> topics) {
    try (Admin admin = Admin.create(kafka.with(Map.of()))) {
      for (int from = 0; from < topics.size(); from += AT_ONCE) {
        admin
            .deleteTopics(topics.subList(from, Math.min(from + AT_ONCE, topics.size())))
            .all()
            .get();
      }
      Set<String> deleted = Set.copyOf(topics);
      while (!Collections.disjoint(admin.listTopics().names().get(), deleted)) {
        Thread.sleep(POLL.toMillis());
      }
    } catch (ExecutionException e) {
      throw new UnreachableException("cannot delete topics: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnreachableException("interrupted while topics were deleted", e);
    }
  }

  /** Settings of a producer that has what the stream's has. */
  public static Properties producer(KafkaAccess kafka) {
    StreamSinkSettings stream = StreamSinkSettings.defaults();
    Map<String, Object> own = new HashMap<>();
    own.put("acks", "all");
    own.put("enable.idempotence", "true");
    own.put("linger.ms", Long.toString(stream.linger().toMillis()));
    own.put("batch.size", Integer.toString(stream.batchBytes()));
    own.put("buffer.memory", Long.toString(stream.bufferBytes()));
    own.put("max.request.size", Integer.toString(stream.maxRequestBytes()));
    return kafka.with(own);
  }
}
