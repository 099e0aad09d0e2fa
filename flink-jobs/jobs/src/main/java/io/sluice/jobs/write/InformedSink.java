package io.sluice.jobs.write;

import io.sluice.schema.KafkaAccess;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.connector.kafka.sink.KafkaCommittable;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.sink.KafkaWriterState;
import org.apache.flink.connector.kafka.sink.TwoPhaseCommittingStatefulSink;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.streaming.api.connector.sink2.CommittableMessage;
import org.apache.flink.streaming.api.connector.sink2.SupportsPostCommitTopology;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.lineage.LineageVertex;
import org.apache.flink.streaming.api.lineage.LineageVertexProvider;

/**
 * Flink's sink for Kafka, with its state, whose producers know all topics before their first record
 * ({@link KnownTopics}), and which leaves no transaction behind ({@link RestoredCommitter}).
 */
public final class InformedSink<T>
    implements TwoPhaseCommittingStatefulSink<T, KafkaWriterState, KafkaCommittable>,
        SupportsPostCommitTopology<KafkaCommittable>,
        LineageVertexProvider {
  private static final long serialVersionUID = 1;

  private final KafkaSink<T> sink;
  private final KafkaAccess kafka;
  private final List<String> topics;

  /**
   * A sink around Flink's.
   *
   * @param sink that is exactly once
   * @param kafka that it writes to
   * @param topics that may be written to
   */
  public InformedSink(KafkaSink<T> sink, KafkaAccess kafka, List<String> topics) {
    this.sink = sink;
    this.kafka = kafka;
    this.topics = List.copyOf(topics);
  }

  @Override
  public PrecommittingStatefulSinkWriter<T, KafkaWriterState, KafkaCommittable> createWriter(
      WriterInitContext context) throws IOException {
    return restoreWriter(context, List.of());
  }

  @Override
  public PrecommittingStatefulSinkWriter<T, KafkaWriterState, KafkaCommittable> restoreWriter(
      WriterInitContext context, Collection<KafkaWriterState> state) throws IOException {
    TwoPhaseCommittingStatefulSink<T, KafkaWriterState, KafkaCommittable> inner = sink;
    return new InformedWriter<>(inner.restoreWriter(context, state), new KnownTopics(topics));
  }

  @Override
  public Committer<KafkaCommittable> createCommitter(CommitterInitContext context) {
    return new RestoredCommitter(sink.createCommitter(context), kafka);
  }

  @Override
  public SimpleVersionedSerializer<KafkaCommittable> getCommittableSerializer() {
    return sink.getCommittableSerializer();
  }

  @Override
  public SimpleVersionedSerializer<KafkaWriterState> getWriterStateSerializer() {
    return sink.getWriterStateSerializer();
  }

  @Override
  public void addPostCommitTopology(DataStream<CommittableMessage<KafkaCommittable>> committed) {
    sink.addPostCommitTopology(committed);
  }

  @Override
  public LineageVertex getLineageVertex() {
    return sink.getLineageVertex();
  }
}
