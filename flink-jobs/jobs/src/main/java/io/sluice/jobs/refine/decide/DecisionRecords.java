package io.sluice.jobs.refine.decide;

import io.sluice.jobs.refine.read.InputRecord;
import io.sluice.jobs.write.OutputRecord;
import io.sluice.refine.decide.Decisions;
import io.sluice.schema.BordersMoved;
import io.sluice.schema.DeadLetter;
import io.sluice.schema.DeadLetters;
import io.sluice.schema.Document;
import io.sluice.schema.DroppedDocument;
import io.sluice.schema.EndOfDomain;
import io.sluice.schema.RefineProgress;
import io.sluice.schema.RefineRound;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.Topics;
import io.sluice.schema.WireCodec;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.avro.specific.SpecificRecordBase;

/**
 * Decisions as records for Kafka. What comes of a record has its timestamp, so that a replay writes
 * the same bytes.
 */
final class DecisionRecords implements Decisions {
  private static final String COMPONENT = "refine";

  private final RefineSpec spec;
  private final Topics topics;
  private final LongSupplier clock;
  private final Consumer<OutputRecord> out;
  private final Consumer<OutputRecord> letters;
  private InputRecord record;

  /**
   * @param out takes records in their order
   * @param letters takes dead letters
   */
  DecisionRecords(
      RefineSpec spec,
      Topics topics,
      LongSupplier clock,
      Consumer<OutputRecord> out,
      Consumer<OutputRecord> letters) {
    this.spec = spec;
    this.topics = topics;
    this.clock = clock;
    this.out = out;
    this.letters = letters;
    this.record = new InputRecord(0, 0, 0, 0, OutputRecord.NO_KEY, 0, List.of());
  }

  /** What follows is decided of this record. */
  void begin(InputRecord next) {
    record = next;
    if (!next.round().isEmpty()) {
      say(new RefineRound(next.rounds(), next.number(), next.round()));
    }
  }

  /** What was decided up to here. */
  void progress(RefineProgress progress) {
    say(progress);
  }

  @Override
  public void kept(String domain, Document document) {
    out.accept(record(topics.corpus(domain), document));
  }

  @Override
  public void dropped(DroppedDocument dropped) {
    say(dropped);
  }

  @Override
  public void moved(BordersMoved moved) {
    say(moved);
  }

  @Override
  public void ended(Map<String, Long> domains) {
    domains.forEach(
        (domain, documents) ->
            out.accept(record(topics.corpus(domain), new EndOfDomain(domain, 0, documents))));
  }

  @Override
  public void refused(String reason) {
    long now = clock.getAsLong();
    DeadLetter letter =
        DeadLetters.of(
            COMPONENT,
            topics.corpus(spec.getInputs().get(record.input())),
            0,
            record.offset(),
            reason,
            record.value(),
            now);
    letters.accept(
        new OutputRecord(
            topics.deadLetters(), 0, now, OutputRecord.NO_KEY, WireCodec.encode(letter)));
  }

  private void say(SpecificRecordBase said) {
    out.accept(record(topics.refined(spec.getName()), said));
  }

  private OutputRecord record(String topic, SpecificRecordBase value) {
    return new OutputRecord(
        topic, 0, record.timestamp(), OutputRecord.NO_KEY, WireCodec.encode(value));
  }
}
