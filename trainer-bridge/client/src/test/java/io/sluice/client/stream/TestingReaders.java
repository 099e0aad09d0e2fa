package io.sluice.client.stream;

import io.sluice.client.run.ControlFollower;
import io.sluice.client.run.RunInfo;
import io.sluice.client.run.SetSource;
import io.sluice.client.run.StreamState;
import io.sluice.client.run.TrainerRank;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunSpec;
import io.sluice.schema.TopicReader;
import io.sluice.schema.WireCodec;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Readers of topics in memory. */
public final class TestingReaders {
  static final String CONTROL = "sluice.control";
  public static final String STREAM = "sluice.stream.r";

  private TestingReaders() {}

  public static StreamReader open(
      RunInfo run,
      String topic,
      TestingConsumer<ByteBuffer> consumer,
      TestingConsumer<byte[]> control,
      StreamOptions options) {
    return open(run, topic, consumer, control, new TestingSets(), options);
  }

  static StreamReader open(
      RunInfo run,
      String topic,
      TestingConsumer<ByteBuffer> consumer,
      TestingConsumer<byte[]> control,
      SetSource sets,
      StreamOptions options) {
    KafkaAccess access = KafkaAccess.local("localhost:9092");
    return new StreamReader(
        run,
        options,
        topic,
        new StreamConsumer(access.bootstrapServers(), opening(consumer), consumer::nanoTime),
        new ControlFollower(run, access.topics(), () -> new TopicReader(access, control)),
        sets,
        consumer::nanoTime);
  }

  private static Supplier<Consumer<byte[], ByteBuffer>> opening(
      TestingConsumer<ByteBuffer> consumer) {
    return () -> consumer.wasClosed() ? consumer.again() : consumer;
  }

  /** A control log of one partition. */
  public static TestingConsumer<byte[]> log(List<ControlRecord> entries) {
    TestingConsumer<byte[]> control = TestingConsumer.of(100);
    control.create(CONTROL, 1);
    entries.forEach(entry -> append(control, entry));
    return control;
  }

  public static void append(TestingConsumer<byte[]> control, ControlRecord entry) {
    control.append(CONTROL, 0, 0, WireCodec.encode(entry), new RecordHeaders());
  }

  /** What a rank reads from a state up to a batch. */
  public static List<GlobalBatch> read(StreamReader reader, StreamState from, long toBatch) {
    reader.seek(from);
    List<GlobalBatch> batches = new ArrayList<>();
    while (reader.state().batch() < toBatch) {
      batches.add(reader.next(Duration.ofSeconds(20)));
    }
    return batches;
  }

  public static StreamOptions rank(int rank, int worldSize) {
    return StreamOptions.defaults().withRank(TrainerRank.of(rank, worldSize));
  }

  public static RunInfo withPolicy(RunInfo run, String policy) {
    return new RunInfo(
        run.runId(), RunSpec.newBuilder(run.spec()).setPolicy(policy).setUpdateEvery(2).build());
  }
}
