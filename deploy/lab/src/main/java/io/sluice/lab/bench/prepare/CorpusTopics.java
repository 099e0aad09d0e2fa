package io.sluice.lab.bench.prepare;

import io.sluice.control.error.UnreachableException;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.jobs.prepare.dataset.DatasetSettings;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.Document;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.WireCodec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Made-up documents, and the corpus topics of a made-up dataset that hold them. */
final class CorpusTopics {
  private static final int PATTERNS = 256;
  private static final int DOCUMENT_CHARACTERS = 4_000;
  private static final int SEQUENCE_LENGTH = 2_048;
  private static final int SHUFFLE_BUFFER = 100;
  private static final int DOMAINS = 8;

  private final String tokenizer;
  private final List<String> texts = new ArrayList<>();
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

  CorpusTopics(String tokenizer) {
    this.tokenizer = tokenizer;
    MadeUpText text = new MadeUpText(7);
    for (int i = 0; i < PATTERNS; i++) {
      texts.add(text.next(DOCUMENT_CHARACTERS));
    }
  }

  /** Texts of documents that differ; longer corpora repeat them. */
  List<String> texts() {
    return List.copyOf(texts);
  }

  /** Mean bytes of a document's text. */
  double meanBytes() {
    return texts.stream()
        .mapToInt(text -> text.getBytes(StandardCharsets.UTF_8).length)
        .average()
        .orElseThrow();
  }

  /** A dataset of its own, as PrepareJob's outputs are only good for one. */
  DatasetSpec dataset(int number) {
    List<String> domains = IntStream.range(0, DOMAINS).mapToObj(i -> "text" + i).toList();
    return DatasetSpecs.resolve(
        new DatasetSettings(
            "bench" + number, tokenizer, SEQUENCE_LENGTH, SHUFFLE_BUFFER, 7, 0, domains, 1));
  }

  /** Documents of a domain whose packing cannot be watched: they wait in the shuffle buffer. */
  static int buffered() {
    return SHUFFLE_BUFFER;
  }

  /** Creates the corpus topics, and fills them with so many documents in each domain. */
  void fill(KafkaAccess kafka, int documentsPerDomain) {
    List<String> topics = dataset(0).getDomains().stream().map(kafka.topics()::corpus).toList();
    try (TopicAdmin admin = new TopicAdmin(kafka)) {
      dataset(0).getDomains().forEach(admin::ensureCorpus);
    }
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            kafka.with(Map.of("linger.ms", 20, "batch.size", 256 << 10)),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (int n = 0; n < documentsPerDomain; n++) {
        for (String topic : topics) {
          byte[] document = document(n, texts.get((n + topic.hashCode()) & (PATTERNS - 1)));
          var unused =
              producer.send(
                  new ProducerRecord<>(topic, 0, null, document),
                  (metadata, error) -> {
                    if (error != null) {
                      failure.compareAndSet(null, error);
                    }
                  });
        }
      }
    }
    Exception refused = failure.get();
    if (refused != null) {
      throw new UnreachableException("the broker does not take documents: " + refused, refused);
    }
  }

  private static byte[] document(int number, String text) {
    return WireCodec.encode(
        Document.newBuilder()
            .setId("document-" + number)
            .setText(text)
            .setOrigin("made up")
            .setProperties(Map.of())
            .build());
  }

  /** Where the blocks of a dataset go. */
  static List<TopicPartition> blocks(KafkaAccess kafka, DatasetSpec spec) {
    return spec.getDomains().stream()
        .map(domain -> new TopicPartition(kafka.topics().blocks(spec.getName(), domain), 0))
        .toList();
  }
}
