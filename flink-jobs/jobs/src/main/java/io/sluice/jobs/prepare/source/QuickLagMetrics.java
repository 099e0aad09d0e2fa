package io.sluice.jobs.prepare.source;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.connector.kafka.source.metrics.KafkaSourceReaderMetrics;
import org.apache.flink.metrics.groups.SourceReaderMetricGroup;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Flink's metrics of a Kafka source, which find a partition's lag by its name. Flink looks through
 * all metrics of the consumer for each partition: with thousands, each of which has a dozen, that
 * is the first minute of a job.
 */
final class QuickLagMetrics extends KafkaSourceReaderMetrics {
  private final SourceReaderMetricGroup group;
  private final Map<TopicPartition, Metric> lags = new ConcurrentHashMap<>();
  private boolean registered;

  QuickLagMetrics(SourceReaderMetricGroup group) {
    super(group);
    this.group = group;
  }

  @Override
  public void maybeAddRecordsLagMetric(KafkaConsumer<?, ?> consumer, TopicPartition partition) {
    if (!registered) {
      registered = true;
      group.setPendingRecordsGauge(this::pending);
    }
    if (!lags.containsKey(partition)) {
      Metric lag = lag(consumer.metrics(), partition);
      if (lag != null) {
        lags.put(partition, lag);
      }
    }
  }

  @Override
  public void removeRecordsLagMetric(TopicPartition partition) {
    lags.remove(partition);
  }

  /** Records of the partitions that are not read yet. */
  long pending() {
    return lags.values().stream().mapToLong(lag -> ((Double) lag.metricValue()).longValue()).sum();
  }

  /** The lag of a partition among a consumer's metrics; null if it has none yet. */
  static @Nullable Metric lag(Map<MetricName, ? extends Metric> metrics, TopicPartition partition) {
    Iterator<MetricName> names = metrics.keySet().iterator();
    if (!names.hasNext()) {
      return null;
    }
    Map<String, String> tags = new HashMap<>();
    String client = names.next().tags().get("client-id");
    if (client != null) {
      tags.put("client-id", client);
    }
    tags.put("topic", partition.topic());
    tags.put("partition", Integer.toString(partition.partition()));
    return metrics.get(new MetricName(RECORDS_LAG, CONSUMER_FETCH_MANAGER_GROUP, "", tags));
  }
}
