package io.sluice.client.segment;

import io.sluice.client.cache.NodeCache;
import io.sluice.client.cache.ObjectAwaitedException;
import io.sluice.client.error.StreamCorruptException;
import io.sluice.client.error.StreamMissingException;
import io.sluice.client.run.RunInfo;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Segment;
import io.sluice.schema.StoredPart;
import io.sluice.schema.TopicReader;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import io.sluice.schema.segment.SegmentStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files of one dataset in a store: those of its folder, or what a node's cache gives. */
public final class DatasetFiles implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DatasetFiles.class);
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private final SegmentStore store;
  private final String dataset;
  private @Nullable NodeCache cache;
  private boolean served;

  /**
   * The files of a dataset.
   *
   * @param store a folder, if there is no cache
   * @param cache closed with it
   */
  public DatasetFiles(SegmentStore store, String dataset, Optional<NodeCache> cache) {
    this.store = store;
    this.dataset = dataset;
    this.cache = cache.orElse(null);
    this.served = store.isBucket();
  }

  /**
   * The files of a run's dataset.
   *
   * @throws StreamMissingException if there is no such dataset, or it has no store, or one that
   *     only a cache reads and there is none
   * @throws io.sluice.schema.KafkaUnreachableException if no broker answers
   */
  public static DatasetFiles of(KafkaAccess access, RunInfo run, Optional<NodeCache> cache) {
    return of(access.topics().datasets(), run, cache, () -> TopicReader.committed(access));
  }

  static DatasetFiles of(
      String topic, RunInfo run, Optional<NodeCache> cache, Supplier<TopicReader> open) {
    String name = run.spec().getDataset();
    Newest newest = new Newest(name, run.spec().getFingerprint());
    try (TopicReader reader = open.get()) {
      reader.catchUp(topic, PATIENCE, newest::take);
    }
    String store = newest.found.map(DatasetSpec::getStore).orElse("");
    if (store.isEmpty()) {
      throw new StreamMissingException(
          "run "
              + run.runId()
              + " reads rows of dataset "
              + name
              + (newest.found.isEmpty() ? ", which is not there" : ", which has no store"));
    }
    SegmentStore found = storeOf(name, store);
    if (found.isBucket() && cache.isEmpty()) {
      throw new StreamMissingException(
          "run "
              + run.runId()
              + " reads rows of dataset "
              + name
              + " in "
              + store
              + ": "
              + NodeCache.advice("FOLDER", found)
              + ", and set "
              + NodeCache.VARIABLE
              + "=FOLDER");
    }
    return new DatasetFiles(found, name, cache);
  }

  private static SegmentStore storeOf(String dataset, String uri) {
    try {
      return SegmentStore.of(uri);
    } catch (IllegalArgumentException e) {
      throw new StreamMissingException("dataset " + dataset + ": " + e.getMessage());
    }
  }

  private static final class Newest {
    private final String name;
    private final long fingerprint;
    private Optional<DatasetSpec> found = Optional.empty();

    private Newest(String name, long fingerprint) {
      this.name = name;
      this.fingerprint = fingerprint;
    }

    private void take(ConsumerRecord<byte[], byte[]> message) {
      try {
        DatasetSpec spec = WireCodec.decode(DatasetSpec.class, message.value());
        if (spec.getName().equals(name) && spec.getFingerprint() == fingerprint) {
          found = Optional.of(spec);
        }
      } catch (WireFormatException e) {
        return; // what is no dataset is none of these
      }
    }
  }

  /** The file that has a segment's rows. */
  Path rows(Segment segment) {
    StoredPart part = segment.getData();
    return segment.getFile() == null ? file(part, ".rows") : inPlace(part.getObject());
  }

  private static Path inPlace(String object) {
    try {
      return SegmentStore.of(object).folder();
    } catch (IllegalArgumentException | IllegalStateException e) { // of no store, or of a bucket
      throw new StreamCorruptException(
          "a file with rows in place must be file:///ABSOLUTE/PATH without '..': found '"
              + object
              + "'");
    }
  }

  /** The file that has a side. */
  Path side(StoredPart part) {
    return file(part, ".side");
  }

  private Path file(StoredPart part, String kind) {
    String object = part.getObject();
    if (!object.startsWith(dataset + "/") || !object.endsWith(kind)) {
      throw new StreamCorruptException(
          "an object of dataset "
              + dataset
              + " must be called "
              + dataset
              + "/SHA256"
              + kind
              + ": found '"
              + object
              + "'");
    }
    try {
      NodeCache through = through();
      return through == null ? store.file(object) : through.get(store, object);
    } catch (IllegalArgumentException e) {
      throw new StreamCorruptException(String.valueOf(e.getMessage()));
    }
  }

  /** The cache, if it is to be asked: a folder that it does not serve is read as it lies. */
  private @Nullable NodeCache through() {
    NodeCache known = cache;
    if (known != null && !served) {
      served = known.serves(store);
      if (!served) {
        known.close();
        cache = null;
        return null;
      }
    }
    return known;
  }

  /** Whether it is a cache that gives objects: their files may go once they are mapped. */
  boolean isCached() {
    return cache != null && served;
  }

  /** Whether the file of a segment's rows may go once it is mapped. */
  boolean mayGo(Segment segment) {
    return segment.getFile() == null && isCached();
  }

  /** Changes when nothing that it gave before is kept any more. */
  int generation() {
    return cache == null ? 0 : cache.connections();
  }

  /** A segment's object will be needed soon; nothing of it is waited for. */
  void ahead(Segment segment) {
    NodeCache through = through();
    if (through != null && segment.getFile() == null) {
      through.ahead(store, segment.getData().getObject());
    }
  }

  /** A segment is not what its record says: what is in a cache is looked at. */
  void check(Segment segment) {
    try {
      NodeCache through = through();
      if (through != null) {
        through.check(store, segment.getSide().getObject());
        if (segment.getFile() == null) {
          through.check(store, segment.getData().getObject());
        }
      }
    } catch (ObjectAwaitedException e) {
      LOG.warn("what is wrong could not be looked at: {}", e.getMessage());
    }
  }

  /** Nothing that it gave is used any more. */
  void release() {
    NodeCache through = through();
    if (through != null) {
      through.release(store);
    }
  }

  @Override
  public void close() {
    NodeCache known = cache;
    if (known != null) {
      known.close();
    }
  }
}
