package io.sluice.client.segment;

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

/**
 * The files of one dataset in a store.
 *
 * @param dataset its name
 */
public record DatasetFiles(SegmentStore store, String dataset) {
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  /**
   * The files of a run's dataset.
   *
   * @throws StreamMissingException if there is no such dataset, or it has no store
   * @throws io.sluice.schema.KafkaUnreachableException if no broker answers
   */
  public static DatasetFiles of(KafkaAccess access, RunInfo run) {
    return of(access.topics().datasets(), run, () -> TopicReader.committed(access));
  }

  static DatasetFiles of(String topic, RunInfo run, Supplier<TopicReader> open) {
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
    try {
      SegmentStore found = SegmentStore.of(store);
      if (!found.isBucket()) {
        return new DatasetFiles(found, name);
      }
    } catch (IllegalArgumentException e) {
      throw new StreamMissingException("dataset " + name + ": " + e.getMessage());
    }
    throw new StreamMissingException(
        "run "
            + run.runId()
            + " reads rows of dataset "
            + name
            + ", whose store is no folder: "
            + store);
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
      return store.file(object);
    } catch (IllegalArgumentException e) {
      throw new StreamCorruptException(String.valueOf(e.getMessage()));
    }
  }
}
