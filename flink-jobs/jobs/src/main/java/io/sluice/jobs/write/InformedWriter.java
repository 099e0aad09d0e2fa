package io.sluice.jobs.write;

import java.io.IOException;
import java.lang.reflect.Field;
import java.util.Collection;
import java.util.List;
import org.apache.flink.connector.kafka.sink.KafkaCommittable;
import org.apache.flink.connector.kafka.sink.KafkaWriterState;
import org.apache.flink.connector.kafka.sink.TwoPhaseCommittingStatefulSink.PrecommittingStatefulSinkWriter;
import org.apache.kafka.clients.producer.Producer;

/** Flink's writer, each of whose producers is told the topics before it writes a record. */
final class InformedWriter<T>
    implements PrecommittingStatefulSinkWriter<T, KafkaWriterState, KafkaCommittable> {
  /** Where the connector's writer keeps the producer of the transaction that is open. */
  private static final String PRODUCER = "currentProducer";

  private final PrecommittingStatefulSinkWriter<T, KafkaWriterState, KafkaCommittable> writer;
  private final Field producer;
  private final KnownTopics topics;

  InformedWriter(
      PrecommittingStatefulSinkWriter<T, KafkaWriterState, KafkaCommittable> writer,
      KnownTopics topics) {
    this.writer = writer;
    this.producer = field(writer.getClass());
    this.topics = topics;
    teach();
  }

  @Override
  public void write(T element, Context context) throws IOException, InterruptedException {
    writer.write(element, context);
  }

  @Override
  public void flush(boolean endOfInput) throws IOException, InterruptedException {
    writer.flush(endOfInput);
  }

  @Override
  public Collection<KafkaCommittable> prepareCommit() throws IOException, InterruptedException {
    return writer.prepareCommit();
  }

  /** Begins the next transaction, which may be a new producer's. */
  @Override
  public List<KafkaWriterState> snapshotState(long checkpoint) throws IOException {
    List<KafkaWriterState> state = writer.snapshotState(checkpoint);
    teach();
    return state;
  }

  @Override
  public void close() throws Exception {
    writer.close();
  }

  private void teach() {
    try {
      topics.teach((Producer<?, ?>) producer.get(writer));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Field field(Class<?> writer) {
    for (Class<?> type = writer; type != null; type = type.getSuperclass()) {
      try {
        Field field = type.getDeclaredField(PRODUCER);
        field.setAccessible(true);
        return field;
      } catch (NoSuchFieldException e) {
        // A class above it may have it.
      }
    }
    throw new IllegalStateException(
        "Flink's Kafka connector is another one than the jobs were built with: "
            + writer
            + " has no "
            + PRODUCER);
  }
}
