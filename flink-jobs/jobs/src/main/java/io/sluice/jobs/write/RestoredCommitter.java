package io.sluice.jobs.write;

import io.sluice.schema.KafkaAccess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.connector.kafka.sink.KafkaCommittable;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.KafkaFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Flink's committer, which also ends what it takes for its own after a crash. A checkpoint names
 * the transactions that were to be committed with it. Their ids are used again once they are; where
 * a process dies in such a later transaction, the sink does not abort it, for its id is one of
 * those named, and nobody can read past it until it times out.
 */
public final class RestoredCommitter implements Committer<KafkaCommittable> {
  private static final Logger LOG = LoggerFactory.getLogger(RestoredCommitter.class);
  private static final Duration WAIT = Duration.ofSeconds(30);

  private final Committer<KafkaCommittable> inner;
  private final KafkaAccess kafka;

  /** Around Flink's, for transactions of these brokers. */
  public RestoredCommitter(Committer<KafkaCommittable> inner, KafkaAccess kafka) {
    this.inner = inner;
    this.kafka = kafka;
  }

  @Override
  public void commit(Collection<CommitRequest<KafkaCommittable>> requests)
      throws IOException, InterruptedException {
    List<KafkaCommittable> restored = new ArrayList<>();
    for (CommitRequest<KafkaCommittable> request : requests) {
      // What this process has prepared has its producer with it.
      if (request.getCommittable().getProducer().isEmpty()) {
        restored.add(request.getCommittable());
      }
    }
    if (!restored.isEmpty()) {
      try (Admin admin = Admin.create(kafka.with(Map.of()))) {
        abortLater(admin, restored);
      }
    }
    inner.commit(requests);
  }

  private static void abortLater(Admin admin, List<KafkaCommittable> restored)
      throws IOException, InterruptedException {
    List<String> later = new ArrayList<>();
    for (KafkaCommittable committable : restored) {
      String id = committable.getTransactionalId();
      try {
        TransactionDescription now =
            get(Objects.requireNonNull(admin.describeTransactions(List.of(id)).description(id)));
        if (isLater(now, committable)) {
          later.add(id);
        }
      } catch (ExecutionException e) {
        LOG.debug("transaction {} cannot be looked at", id, e);
      }
    }
    if (!later.isEmpty()) {
      LOG.info("aborting transactions that a process has left behind: {}", later);
      try {
        get(admin.fenceProducers(later).all());
      } catch (ExecutionException e) {
        throw new IOException("transactions cannot be aborted: " + later, e.getCause());
      }
    }
  }

  private static boolean isLater(TransactionDescription now, KafkaCommittable committable) {
    return now.state() == TransactionState.ONGOING
        && (now.producerId() != committable.getProducerId()
            || now.producerEpoch() != committable.getEpoch());
  }

  private static <T> T get(KafkaFuture<T> answer)
      throws IOException, InterruptedException, ExecutionException {
    try {
      return answer.get(WAIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new IOException("no answer about transactions within " + WAIT.toSeconds() + " s", e);
    }
  }

  @Override
  public void close() throws Exception {
    inner.close();
  }
}
