package io.sluice.lab.chaos.fault;

import io.sluice.client.run.RunInfo;
import io.sluice.control.error.Answers;
import io.sluice.control.error.UnreachableException;
import io.sluice.control.history.RunLogs;
import io.sluice.lab.chaos.trainer.Waiting;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.MixtureGrant;
import io.sluice.schema.Topics;
import io.sluice.schema.WireCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Future;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * What a hostile trainer can write: to each topic that it may write to what nobody can read, and of
 * each kind of record one that is larger, or means more, than any should. The one that is worst for
 * its own run comes last.
 */
public final class Poison implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int MANY = 10_000;
  private static final int SEQUENCES = 2_000_000_000;
  private static final int LARGEST = 64 << 20;

  /** Of Avro's single-object encoding; the fingerprint behind it is nobody's. */
  private static final byte[] UNKNOWN_SCHEMA = {(byte) 0xC3, 1, 7, 7, 7, 7, 7, 7, 7, 7, 2, 4, 6};

  private final KafkaAccess kafka;
  private final RunInfo own;
  private final KafkaProducer<byte[], byte[]> producer;
  private final List<Future<?>> sent = new ArrayList<>();

  /**
   * @param own the hostile trainer's run
   */
  public Poison(KafkaAccess kafka, RunInfo own) {
    this.kafka = kafka;
    this.own = own;
    this.producer =
        new KafkaProducer<>(
            kafka.with(
                Map.of("max.request.size", LARGEST, "buffer.memory", 2L * LARGEST, "acks", "all")),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  /**
   * Writes all of it.
   *
   * @return how many records
   */
  public int write(Random random) {
    unreadable(random);
    HostileRecords records = new HostileRecords(own.runId(), own.spec());
    Topics topics = kafka.topics();
    records.commands().forEach(command -> send(topics.runs(), command.getRunId(), command));
    String feedback = topics.feedback(own.name());
    records.attachments().forEach(attached -> send(feedback, own.runId(), attached));
    records.reports().forEach(report -> send(feedback, report.getRunId(), report));
    send(feedback, own.runId(), records.progress());
    send(topics.corpus(own.spec().getDomains().get(0)), "", records.document());
    grant();
    sent.forEach(record -> Answers.await(record, PATIENCE, "writing a hostile record"));
    return sent.size();
  }

  private void unreadable(Random random) {
    Topics topics = kafka.topics();
    String dataset = own.spec().getDataset();
    byte[] noise = new byte[1 + random.nextInt(MANY)];
    random.nextBytes(noise);
    List<String> spoiled =
        new ArrayList<>(
            List.of(
                topics.runs(),
                topics.control(),
                log(),
                topics.feedback(own.name()),
                topics.status(),
                topics.deadLetters(),
                topics.datasets(),
                topics.supply(dataset)));
    own.spec().getDomains().forEach(domain -> spoiled.add(topics.corpus(domain)));
    for (String topic : spoiled) {
      for (byte[] value : Arrays.asList(noise, UNKNOWN_SCHEMA, new byte[0], null)) {
        send(topic, own.runId(), value);
        send(topic, "unknown." + random.nextInt(MANY), value);
      }
    }
  }

  /** Goes on where the run's log ends, with a batch that no memory holds. */
  private void grant() {
    if (!Waiting.until(() -> LogEnd.of(kafka, log()).grant().isPresent(), PATIENCE)) {
      throw new UnreachableException("run " + own.runId() + " is granted nothing");
    }
    LogEnd end = LogEnd.of(kafka, log());
    ControlRecord last = end.grant().orElseThrow();
    MixtureGrant before = (MixtureGrant) last.getBody();
    long first =
        before.getFirstSequence() + before.getBatchSizes().stream().mapToLong(s -> s).sum();
    List<Integer> counts = new ArrayList<>(Collections.nCopies(own.spec().getDomains().size(), 0));
    counts.set(0, SEQUENCES);
    MixtureGrant grant =
        MixtureGrant.newBuilder(before)
            .setAfter(before.getTo())
            .setTo(before.getTo() + 1)
            .setFirstSequence(first)
            .setBatchSizes(List.of(SEQUENCES))
            .setCounts(counts)
            .build();
    ControlRecord record =
        ControlRecord.newBuilder(last)
            .setSerial(end.serial() + 1)
            .setBasedOn(end.offset())
            .setBasedOnDigest(end.digest())
            .setBody(grant)
            .build();
    send(log(), own.runId(), record);
  }

  private String log() {
    return RunLogs.of(kafka).topic(own.runId());
  }

  private void send(String topic, String key, SpecificRecordBase record) {
    send(topic, key, WireCodec.encode(record));
  }

  private void send(String topic, String key, byte[] value) {
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    sent.add(producer.send(new ProducerRecord<>(topic, 0, bytes, value)));
  }

  @Override
  public void close() {
    producer.close();
  }
}
