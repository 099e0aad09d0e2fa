package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.topics.TopicAdmin;
import io.sluice.jobs.write.RestoredCommitter;
import io.sluice.schema.KafkaAccess;
import io.sluice.service.Patience;
import io.sluice.service.broker.EmbeddedBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.connector.kafka.sink.KafkaCommittable;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A checkpoint names a transaction that was committed since, under whose id another one was open
 * when the process died: nobody may have to wait until that one times out.
 */
class LeftTransactionIT {
  private static final String ID = "sluice.refine-r.-0-1";
  private static final Duration IDLE = Duration.ofMinutes(1);

  @TempDir private Path directory;

  @Test
  void aLaterTransactionOfAnIdIsAbortedAndOneThatIsToBeCommittedIsNot() throws Exception {
    try (EmbeddedBroker broker =
        EmbeddedBroker.start(directory.resolve("broker"), 0, Patience.MINUTE)) {
      KafkaAccess kafka = KafkaAccess.local(broker.bootstrapServers());
      try (TopicAdmin topics = new TopicAdmin(kafka);
          Admin admin = Admin.create(kafka.with(Map.of()));
          KafkaProducer<byte[], byte[]> producer = producer(kafka);
          KafkaProducer<byte[], byte[]> again = producer(kafka)) {
        topics.ensureService();
        topics.ensureCorpus("web");
        producer.initTransactions();
        KafkaCommittable prepared = begin(kafka, admin, producer);
        Passed passed = new Passed();

        new RestoredCommitter(passed, kafka).commit(List.of(new Request(prepared)));
        assertThat(state(admin)).isEqualTo(TransactionState.ONGOING);

        producer.commitTransaction();
        // So the sink does with an id that is free again.
        again.initTransactions();
        begin(kafka, admin, again);
        new RestoredCommitter(passed, kafka).commit(List.of(new Request(prepared)));
        Patience.await(IDLE, () -> state(admin) != TransactionState.ONGOING);
        assertThat(passed.committed).containsExactly(prepared, prepared);
      }
    }
  }

  private static KafkaProducer<byte[], byte[]> producer(KafkaAccess kafka) {
    return new KafkaProducer<>(
        kafka.with(Map.of("transactional.id", ID, "acks", "all")),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  /** Begins a transaction, and tells how a checkpoint would name it. */
  private static KafkaCommittable begin(
      KafkaAccess kafka, Admin admin, KafkaProducer<byte[], byte[]> producer) throws Exception {
    producer.beginTransaction();
    producer.send(new ProducerRecord<>(kafka.topics().corpus("web"), new byte[] {1})).get();
    TransactionDescription now = described(admin);
    assertThat(now.state()).isEqualTo(TransactionState.ONGOING);
    return new KafkaCommittable(now.producerId(), (short) now.producerEpoch(), ID, null);
  }

  private static TransactionState state(Admin admin) {
    try {
      return described(admin).state();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static TransactionDescription described(Admin admin) throws Exception {
    return admin.describeTransactions(List.of(ID)).description(ID).get();
  }

  private static final class Passed implements Committer<KafkaCommittable> {
    private final List<KafkaCommittable> committed = new ArrayList<>();

    @Override
    public void commit(Collection<CommitRequest<KafkaCommittable>> requests) {
      requests.forEach(request -> committed.add(request.getCommittable()));
    }

    @Override
    public void close() {
      // It has nothing open.
    }
  }

  private record Request(KafkaCommittable committable)
      implements Committer.CommitRequest<KafkaCommittable> {
    @Override
    public KafkaCommittable getCommittable() {
      return committable;
    }

    @Override
    public int getNumberOfRetries() {
      return 0;
    }

    @Override
    public void signalFailedWithKnownReason(Throwable reason) {
      throw new AssertionError(reason);
    }

    @Override
    public void signalFailedWithUnknownReason(Throwable reason) {
      throw new AssertionError(reason);
    }

    @Override
    public void retryLater() {
      throw new AssertionError();
    }

    @Override
    public void updateAndRetryLater(KafkaCommittable changed) {
      throw new AssertionError();
    }

    @Override
    public void signalAlreadyCommitted() {
      throw new AssertionError();
    }
  }
}
