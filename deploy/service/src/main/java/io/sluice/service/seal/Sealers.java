package io.sluice.service.seal;

import io.sluice.control.topics.TopicAdmin;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.segment.InPlace;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Seals every dataset that has a store, one after the other, so that the rows of all of them
 * together are bounded. One that cannot be sealed does not hold up the others.
 */
final class Sealers implements AutoCloseable {
  /** Bytes of rows that wait, after which the dataset with the most of them is sealed. */
  private static final long MOST_BYTES = 64 << 20;

  private final KafkaAccess access;
  private final String owner;
  private final InstantSource clock;
  private final LongSupplier nanos;
  private final Consumer<String> events;
  private final SealNotices notices;
  private final Queue<Consumer<Sealers>> said = new ConcurrentLinkedQueue<>();
  private final Set<String> leaving = ConcurrentHashMap.newKeySet();
  private final Map<String, SealedDataset> datasets = new LinkedHashMap<>();

  /**
   * Sealers of no dataset yet.
   *
   * @param cluster id of the Kafka cluster
   * @param clock of records and files
   * @param nanos a clock that only goes forward
   * @param events told, in a sentence, what happens
   */
  Sealers(
      KafkaAccess access,
      String cluster,
      InstantSource clock,
      LongSupplier nanos,
      Consumer<String> events) {
    this.access = access;
    this.owner = owner(access, cluster);
    this.clock = clock;
    this.nanos = nanos;
    this.events = events;
    this.notices = new KafkaSealNotices(access, clock);
  }

  /** Whose a store's folder is: a deployment's. */
  static String owner(KafkaAccess access, String cluster) {
    return "Kafka cluster " + cluster + ", prefix " + access.topics().prefix();
  }

  /** Takes what is published of a dataset, on any thread: {@link #work} seals it like that. */
  void apply(DatasetSpec spec) {
    said.add(sealers -> sealers.take(spec));
  }

  /** A dataset was deleted, on any thread: {@link #work} seals it no more. */
  void delete(String dataset) {
    leaving.add(dataset);
    said.add(sealers -> sealers.leave(dataset));
  }

  /** Whether a dataset that was deleted is sealed no more, on any thread. */
  boolean hasLeft(String dataset) {
    return !leaving.contains(dataset);
  }

  /**
   * Does what there is to do.
   *
   * @param wait at most, for blocks to come
   * @return whether it waited for blocks
   */
  boolean work(Duration wait) {
    for (Consumer<Sealers> next = said.poll(); next != null; next = said.poll()) {
      next.accept(this);
    }
    boolean waited = false;
    Duration each = wait.dividedBy(Math.max(1, datasets.size()));
    for (SealedDataset dataset : datasets.values()) {
      waited |= dataset.work(each);
    }
    if (datasets.values().stream().mapToLong(SealedDataset::bytes).sum() >= MOST_BYTES) {
      datasets.values().stream()
          .max(Comparator.comparingLong(SealedDataset::bytes))
          .ifPresent(SealedDataset::seal);
    }
    return waited;
  }

  private void leave(String dataset) {
    SealedDataset before = datasets.remove(dataset);
    if (before != null) {
      before.close();
    }
    leaving.remove(dataset);
  }

  private void take(DatasetSpec spec) {
    SealedDataset before = datasets.get(spec.getName());
    if (before != null && before.spec().equals(spec)) {
      return;
    }
    if (before != null) {
      before.close();
      datasets.remove(spec.getName());
    }
    if (!spec.getStore().isEmpty() && !InPlace.without(spec).getDomains().isEmpty()) {
      datasets.put(spec.getName(), new SealedDataset(spec, this::open, nanos, events, notices));
    }
  }

  private DatasetSealer open(DatasetSpec spec) throws IOException {
    try (TopicAdmin admin = new TopicAdmin(access)) {
      admin.ensureDataset(spec);
    }
    SegmentLog log = KafkaSegmentLog.open(access, spec);
    return DatasetSealer.open(access, spec, log, owner, clock, nanos);
  }

  @Override
  public void close() {
    datasets.values().forEach(SealedDataset::close);
    datasets.clear();
  }
}
