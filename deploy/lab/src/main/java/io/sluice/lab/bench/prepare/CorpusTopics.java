package io.sluice.lab.bench.prepare;

import io.sluice.control.error.Deliveries;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.jobs.prepare.dataset.DatasetSettings;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.jobs.write.KnownTopics;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Corpus topics of so many made-up domains, and datasets of them. */
final class CorpusTopics {
  /** A broker that was told to delete thousands of topics is late for as long. */
  private static final Duration BUSY = Duration.ofMinutes(3);

  private static final int SEQUENCE_LENGTH = 2_048;

  /** Documents that wait in all shuffle buffers, as far as each holds a whole number. */
  private static final int BUFFERED = 800;

  private final KafkaAccess kafka;
  private final String tokenizer;
  private final List<String> domains;
  private final Deliveries deliveries = new Deliveries("documents");
  private int datasets;

  /** The first dataset, with which the corpus topics were made. */
  private @Nullable DatasetSpec first;

  CorpusTopics(KafkaAccess kafka, String tokenizer, int domains) {
    this.kafka = kafka;
    this.tokenizer = tokenizer;
    this.domains = IntStream.range(0, domains).mapToObj(i -> "made-" + domains + "-" + i).toList();
    this.first = newDataset();
  }

  /** A dataset of its own, as PrepareJob's outputs are only good for one; its topics are there. */
  DatasetSpec dataset() {
    DatasetSpec unused = first;
    first = null;
    return unused == null ? newDataset() : unused;
  }

  private DatasetSpec newDataset() {
    DatasetSpec spec =
        DatasetSpecs.resolve(
            new DatasetSettings(
                "bench-" + domains.size() + "-" + datasets++,
                tokenizer,
                SEQUENCE_LENGTH,
                Math.max(1, BUFFERED / domains.size()),
                7,
                0,
                domains,
                1));
    try (TopicAdmin admin = new TopicAdmin(kafka, BUSY)) {
      admin.ensureDataset(spec);
    }
    return spec;
  }

  /** Topics of a dataset's blocks. */
  List<String> blocks(DatasetSpec spec) {
    return spec.getDomains().stream()
        .flatMap(
            domain ->
                List.of(
                    kafka.topics().blocks(spec.getName(), domain),
                    kafka.topics().eval(spec.getName(), domain))
                    .stream())
        .toList();
  }

  /** Deals documents to the domains. */
  void fill(MadeUpDocuments documents, int count) {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            kafka.with(Map.of("linger.ms", 20, "batch.size", 256 << 10)),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      new KnownTopics(domains.stream().map(kafka.topics()::corpus).toList()).teach(producer);
      // A domain at a time, as ingest does: so the producer has few batches open.
      for (int d = 0; d < domains.size(); d++) {
        String topic = kafka.topics().corpus(domains.get(d));
        for (int n = d; n < count; n += domains.size()) {
          var unused =
              producer.send(new ProducerRecord<>(topic, 0, null, documents.message(n)), deliveries);
        }
      }
    }
    deliveries.require();
  }
}
