package io.sluice.lab.chaos.fault;

import io.sluice.client.run.RunInfo;
import io.sluice.control.error.Answers;
import io.sluice.control.history.RunLogs;
import io.sluice.control.history.TopicScan;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.DomainMeasure;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.MixtureGrant;
import io.sluice.schema.Topics;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Writes records to a run's logs that no part of the service should obey. */
public final class RecordForger implements AutoCloseable {
  private static final int RECORDS = 20;
  private static final int NOISE = 200;
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final KafkaAccess kafka;
  private final KafkaProducer<byte[], byte[]> producer;

  public RecordForger(KafkaAccess kafka) {
    this.kafka = kafka;
    this.producer =
        new KafkaProducer<>(
            kafka.with(Map.of("acks", "all")),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  /** Writes control records of the run's past again, byte for byte, in any order. */
  public void repeatProposals(RunInfo run, Random random) {
    List<ControlRecord> past = new ArrayList<>(control(run));
    Collections.shuffle(past, random);
    String log = log(run);
    past.stream().limit(RECORDS).forEach(record -> send(log, 0, run, WireCodec.encode(record)));
  }

  /**
   * Writes what a Reweighter that lost the log would: grants with other counts, the first based on
   * a record that is no longer current, each later one on the one before.
   */
  public void leadLosingLineage(RunInfo run) {
    List<ControlRecord> past = control(run);
    Optional<ControlRecord> grant =
        past.stream().filter(r -> r.getBody() instanceof MixtureGrant).reduce((a, b) -> b);
    long serial = past.stream().mapToLong(ControlRecord::getSerial).max().orElse(0);
    if (grant.isEmpty()) {
      return;
    }
    String log = log(run);
    MixtureGrant last = (MixtureGrant) grant.get().getBody();
    long basedOn = grant.get().getBasedOn();
    long after = last.getTo();
    int batches = last.getBatchSizes().size();
    for (int i = 0; i < RECORDS; i++) {
      List<Integer> counts = new ArrayList<>(last.getCounts());
      Collections.rotate(counts, 1);
      MixtureGrant rival =
          MixtureGrant.newBuilder(last)
              .setAfter(after)
              .setTo(after + batches)
              .setCounts(counts)
              .setWeightsVersion(last.getWeightsVersion() + 1)
              .build();
      ControlRecord record =
          ControlRecord.newBuilder(grant.get())
              .setSerial(++serial)
              .setBasedOn(basedOn)
              .setWriter("rival")
              .setWhy("a losing lineage")
              .setBody(rival)
              .build();
      basedOn = send(log, 0, run, WireCodec.encode(record));
      after += batches;
    }
  }

  /** Writes noise, torn records and records without a value to the control and feedback topics. */
  public void corrupt(RunInfo run, Random random) {
    List<ControlRecord> past = control(run);
    String control = log(run);
    String feedback = kafka.topics().feedback(run.name());
    for (int i = 0; i < RECORDS; i++) {
      byte[] noise = new byte[random.nextInt(NOISE)];
      random.nextBytes(noise);
      byte[] whole = WireCodec.encode(past.get(random.nextInt(past.size())));
      byte[] torn = Arrays.copyOf(whole, random.nextInt(whole.length));
      for (byte[] value : Arrays.asList(noise, torn, null)) {
        send(control, 0, run, value);
        send(feedback, 0, run, value);
        send(feedback, Topics.CLAIMS, run, value);
      }
    }
  }

  /** Sends feedback of the past again: as it was, and with other values, in any order. */
  public void repeatFeedback(RunInfo run, Random random) {
    List<TrainerFeedback> past =
        past(
            kafka.topics().feedback(run.name()),
            TrainerFeedback.class,
            report -> report.getRunId().equals(run.runId()));
    Collections.shuffle(past, random);
    for (TrainerFeedback report : past.subList(0, Math.min(RECORDS, past.size()))) {
      String to = kafka.topics().feedback(run.name());
      send(to, 0, run, WireCodec.encode(report));
      send(to, 0, run, WireCodec.encode(changed(report, random.nextDouble(), report.getAttempt())));
      send(to, 0, run, WireCodec.encode(changed(report, Double.NaN, "forged")));
    }
  }

  private static TrainerFeedback changed(TrainerFeedback report, double factor, String attempt) {
    List<DomainMeasure> entries =
        report.getEntries().stream()
            .map(e -> new DomainMeasure(e.getDomain(), e.getSum() * factor, e.getCount()))
            .toList();
    return TrainerFeedback.newBuilder(report).setEntries(entries).setAttempt(attempt).build();
  }

  private List<ControlRecord> control(RunInfo run) {
    return past(log(run), ControlRecord.class, record -> record.getRunId().equals(run.runId()));
  }

  private String log(RunInfo run) {
    return RunLogs.of(kafka).topic(run.runId());
  }

  /** What a topic holds of one type, as far as it is wanted; what cannot be read is passed over. */
  private <T extends org.apache.avro.specific.SpecificRecordBase> List<T> past(
      String topic, Class<T> type, Predicate<T> wanted) {
    List<T> records = new ArrayList<>();
    new TopicScan(kafka)
        .read(
            List.of(topic),
            message -> decode(type, message.value()).filter(wanted).ifPresent(records::add));
    return records;
  }

  private static <T extends org.apache.avro.specific.SpecificRecordBase> Optional<T> decode(
      Class<T> type, byte[] value) {
    try {
      return value == null ? Optional.empty() : Optional.of(WireCodec.decode(type, value));
    } catch (WireFormatException | IllegalArgumentException notOne) {
      return Optional.empty();
    }
  }

  private long send(String topic, int partition, RunInfo run, byte[] value) {
    byte[] key = run.runId().getBytes(StandardCharsets.UTF_8);
    var written = producer.send(new ProducerRecord<>(topic, partition, key, value));
    return Answers.await(written, PATIENCE, "writing a forged record").offset();
  }

  @Override
  public void close() {
    producer.close();
  }
}
