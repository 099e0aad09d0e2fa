package io.sluice.cli.ingest.corpus;

import io.sluice.control.domain.CorpusEnds;
import io.sluice.control.domain.EndedDomains;
import io.sluice.control.error.BadInputException;
import io.sluice.control.error.Deliveries;
import io.sluice.control.error.UnreachableException;
import io.sluice.control.purge.Purges;
import io.sluice.control.refine.Refineries;
import io.sluice.corpus.document.DocumentSink;
import io.sluice.corpus.range.FileRange;
import io.sluice.schema.DeadLetter;
import io.sluice.schema.Document;
import io.sluice.schema.EndOfDomain;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.TokenDocument;
import io.sluice.schema.WireCodec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Writes a domain's documents to its corpus topic, in order and each once, and refusals to the dead
 * letters. A write that fails fails the next call, and at the latest {@link #flush}.
 */
public final class CorpusWriter implements DocumentSink, AutoCloseable {
  private static final int MIB = 1 << 20;

  private final String domain;
  private final String corpus;
  private final String deadLetters;
  private final String ingested;
  private final CorpusEnds ends;
  private final KafkaProducer<byte[], byte[]> producer;
  private final Deliveries deliveries;
  private final AtomicLong next = new AtomicLong();

  /**
   * A writer to the domain's corpus topic, which must exist.
   *
   * @throws BadInputException if the domain has ended, documents of it are being purged, or a
   *     refinery writes it
   */
  public CorpusWriter(KafkaAccess access, String domain) {
    this.domain = domain;
    this.corpus = access.topics().corpus(domain);
    this.deadLetters = access.topics().deadLetters();
    this.ingested = access.topics().ingested();
    this.ends = new CorpusEnds(access);
    this.deliveries = new Deliveries("the records of " + corpus);
    if (new EndedDomains(access).has(domain)) {
      throw new BadInputException(
          "domain '"
              + domain
              + "' has ended: no document may follow its end marker. "
              + EndedDomains.goOn(domain));
    }
    new Purges(access).requireDomain(domain);
    new Refineries(access).requireNotWritten(domain);
    this.producer =
        new KafkaProducer<>(
            access.with(producerSettings()), new ByteArraySerializer(), new ByteArraySerializer());
    this.next.set(ends.of(domain).records());
  }

  @Override
  public void document(Document document, byte[] encoded) {
    send(corpus, null, encoded);
  }

  @Override
  public void tokens(TokenDocument document) {
    send(corpus, null, WireCodec.encode(document));
  }

  @Override
  public void ranges(List<FileRange> ranges) {
    ranges.forEach(range -> send(corpus, null, WireCodec.encode(range.said())));
  }

  @Override
  public void deadLetter(DeadLetter letter) {
    send(deadLetters, domain.getBytes(StandardCharsets.UTF_8), WireCodec.encode(letter));
  }

  /** Says in the table of ingested files how far a file or the domain is, behind what was said. */
  void ingested(String key, SpecificRecordBase message) {
    send(ingested, key.getBytes(StandardCharsets.UTF_8), WireCodec.encode(message));
  }

  /** Where the corpus ends as far as the broker has taken this writer's documents. */
  long next() {
    return next.get();
  }

  /**
   * Returns once the broker has everything.
   *
   * @throws UnreachableException if it does not take a record
   */
  public void flush() {
    producer.flush();
    deliveries.require();
  }

  /** Marks the domain as ended: nothing may follow. */
  public void end() {
    flush();
    EndOfDomain marker = new EndOfDomain(domain, 0, ends.of(domain).records());
    try {
      producer.send(new ProducerRecord<>(corpus, 0, null, WireCodec.encode(marker))).get();
    } catch (ExecutionException e) {
      throw deliveries.refused(e.getCause() == null ? e : e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw deliveries.refused(e);
    }
  }

  @Override
  public void close() {
    producer.close();
  }

  private void send(String topic, byte @Nullable [] key, byte[] value) {
    deliveries.require();
    var unused =
        producer.send(
            new ProducerRecord<>(topic, 0, key, value),
            (metadata, e) -> {
              deliveries.onCompletion(metadata, e);
              if (e == null && topic.equals(corpus)) {
                next.set(metadata.offset() + 1);
              }
            });
  }

  private static Map<String, Object> producerSettings() {
    return Map.of(
        "acks",
        "all",
        "enable.idempotence",
        true,
        "compression.type",
        "lz4",
        "linger.ms",
        20,
        "batch.size",
        MIB / 4,
        "buffer.memory",
        96L * MIB,
        "max.request.size",
        64 * MIB - 1024,
        "max.block.ms",
        60_000);
  }
}
