package io.sluice.jobs.prepare.source;

import io.sluice.jobs.prepare.record.CorpusDeserializer;
import io.sluice.jobs.prepare.record.CorpusRecord;
import io.sluice.jobs.prepare.record.CorpusRecordSerializer;
import java.util.List;
import java.util.Properties;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.synchronization.FutureCompletingBlockingQueue;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.reader.KafkaPartitionSplitReader;
import org.apache.flink.connector.kafka.source.reader.KafkaRecordEmitter;
import org.apache.flink.connector.kafka.source.reader.KafkaSourceReader;
import org.apache.flink.connector.kafka.source.reader.fetcher.KafkaSourceFetcherManager;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.streaming.api.lineage.LineageVertex;
import org.apache.flink.streaming.api.lineage.LineageVertexProvider;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Flink's source for Kafka, with its state, on corpora from their beginning, whose readers have
 * {@link QuickLagMetrics}.
 */
public final class CorpusSource
    implements Source<CorpusRecord, KafkaPartitionSplit, KafkaSourceEnumState>,
        ResultTypeQueryable<CorpusRecord>,
        LineageVertexProvider {
  private static final long serialVersionUID = 1;

  private final KafkaSource<CorpusRecord> source;
  private final Properties settings;

  /**
   * A source of topics.
   *
   * @param settings of the consumers, how to reach the brokers among them
   * @param group that offsets are committed for; nobody starts from them
   */
  public CorpusSource(Properties settings, List<String> topics, String group) {
    this.source =
        KafkaSource.<CorpusRecord>builder()
            .setProperties(settings)
            .setTopics(topics)
            .setGroupId(group)
            .setStartingOffsets(OffsetsInitializer.earliest())
            .setDeserializer(new CorpusDeserializer())
            .build();
    this.settings = new Properties();
    this.settings.putAll(settings);
    this.settings.setProperty("group.id", group);
    this.settings.setProperty("client.id.prefix", group);
    this.settings.setProperty("enable.auto.commit", "false");
    this.settings.setProperty("auto.offset.reset", "earliest");
    this.settings.setProperty("key.deserializer", ByteArrayDeserializer.class.getName());
    this.settings.setProperty("value.deserializer", ByteArrayDeserializer.class.getName());
  }

  @Override
  public SourceReader<CorpusRecord, KafkaPartitionSplit> createReader(SourceReaderContext context) {
    QuickLagMetrics metrics = new QuickLagMetrics(context.metricGroup());
    FutureCompletingBlockingQueue<RecordsWithSplitIds<ConsumerRecord<byte[], byte[]>>> queue =
        new FutureCompletingBlockingQueue<>();
    return new KafkaSourceReader<>(
        queue,
        new KafkaSourceFetcherManager(
            queue, () -> new KafkaPartitionSplitReader(settings, context, metrics), finished -> {}),
        new KafkaRecordEmitter<>(new CorpusDeserializer()),
        new Configuration(),
        context,
        metrics);
  }

  @Override
  public Boundedness getBoundedness() {
    return source.getBoundedness();
  }

  @Override
  public SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> createEnumerator(
      SplitEnumeratorContext<KafkaPartitionSplit> context) {
    return source.createEnumerator(context);
  }

  @Override
  public SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> restoreEnumerator(
      SplitEnumeratorContext<KafkaPartitionSplit> context, KafkaSourceEnumState state)
      throws java.io.IOException {
    return source.restoreEnumerator(context, state);
  }

  @Override
  public SimpleVersionedSerializer<KafkaPartitionSplit> getSplitSerializer() {
    return source.getSplitSerializer();
  }

  @Override
  public SimpleVersionedSerializer<KafkaSourceEnumState> getEnumeratorCheckpointSerializer() {
    return source.getEnumeratorCheckpointSerializer();
  }

  @Override
  public TypeInformation<CorpusRecord> getProducedType() {
    return CorpusRecordSerializer.TYPE;
  }

  @Override
  public LineageVertex getLineageVertex() {
    return source.getLineageVertex();
  }
}
