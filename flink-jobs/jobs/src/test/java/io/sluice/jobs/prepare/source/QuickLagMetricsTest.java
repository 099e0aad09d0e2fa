package io.sluice.jobs.prepare.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.clients.consumer.internals.FetchMetricsRegistry;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.metrics.MetricConfig;
import org.apache.kafka.common.metrics.Metrics;
import org.junit.jupiter.api.Test;

class QuickLagMetricsTest {
  private final FetchMetricsRegistry names =
      new FetchMetricsRegistry(Set.of("client-id"), "consumer");

  @Test
  void aPartitionsLagIsFoundAmongAConsumersMetrics() {
    MetricConfig config = new MetricConfig().tags(Map.of("client-id", "sluice.prepare-d-0"));
    try (Metrics metrics = new Metrics(config)) {
      for (String topic : new String[] {"sluice.corpus.java", "sluice.corpus.c"}) {
        for (int partition = 0; partition < 2; partition++) {
          double lag = topic.length() * 10.0 + partition;
          metrics.addMetric(
              metrics.metricInstance(
                  names.partitionRecordsLag,
                  Map.of("topic", topic, "partition", Integer.toString(partition))),
              (measured, now) -> lag);
        }
      }

      Metric found =
          Objects.requireNonNull(
              QuickLagMetrics.lag(metrics.metrics(), new TopicPartition("sluice.corpus.c", 1)));
      assertThat(found.metricValue()).isEqualTo(151.0);
      assertThat(QuickLagMetrics.lag(metrics.metrics(), new TopicPartition("sluice.corpus.c", 2)))
          .isNull();
      assertThat(QuickLagMetrics.lag(Map.of(), new TopicPartition("sluice.corpus.c", 1))).isNull();
    }
  }
}
