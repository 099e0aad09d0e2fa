package io.sluice.jobs.simulation;

import static io.sluice.jobs.simulation.Violation.unless;

import io.sluice.jobs.control.ControlWire;
import io.sluice.jobs.mix.source.SimulatedSplit;
import io.sluice.jobs.mix.stream.StreamRecord;
import io.sluice.schema.RunCommand;
import io.sluice.schema.RunSpec;
import io.sluice.schema.StreamHeader;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.TrainerProgress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.avro.specific.SpecificRecordBase;

/** The topics of one run, and what must hold of everything that is written to them. */
final class RunModel {
  private final Scenario scenario;
  private final Corpus corpus;
  private final FeedbackTruth feedback;
  private final ControlTruth control;
  private final List<RunCommand> commands = new ArrayList<>();
  private final List<SpecificRecordBase> reports = new ArrayList<>();
  private final List<List<StreamRecord>> stream = new ArrayList<>();
  private final TreeSet<Long> progress = new TreeSet<>();
  private final Map<Long, StreamRecord> sequences = new HashMap<>();
  private final long[] whole;
  private final Witness witness;

  RunModel(Scenario scenario, Witness witness) {
    this.scenario = scenario;
    this.witness = witness;
    this.whole = new long[scenario.spec().getStreamPartitions()];
    this.corpus = new Corpus(scenario.spec(), scenario.sizes());
    this.feedback = new FeedbackTruth(scenario.spec());
    this.control = new ControlTruth(this);
    progress.add(0L);
    for (int p = 0; p < whole.length; p++) {
      whole[p] = p;
      stream.add(new ArrayList<>());
    }
  }

  Witness witness() {
    return witness;
  }

  String id() {
    return scenario.runId();
  }

  RunSpec spec() {
    return scenario.spec();
  }

  Corpus corpus() {
    return corpus;
  }

  FeedbackTruth feedback() {
    return feedback;
  }

  ControlTruth control() {
    return control;
  }

  List<RunCommand> commands() {
    return commands;
  }

  List<SpecificRecordBase> reports() {
    return reports;
  }

  List<StreamRecord> stream(int partition) {
    return stream.get(partition);
  }

  /** A trainer's message reaches the feedback partition. */
  void report(SpecificRecordBase message) {
    reports.add(message);
    if (message instanceof TrainerFeedback report) {
      feedback.append(report);
    } else if (((TrainerProgress) message).getTimeline() == 0) {
      progress.add(((TrainerProgress) message).getBatch());
    }
  }

  /** The furthest report that is within the grants. */
  long progress(long granted) {
    return progress.floor(granted);
  }

  /** I1, I3, I5: a split emits only what is granted, and always the same. */
  void emitted(StreamRecord record) {
    StreamHeader header = StreamHeader.decode(record.header());
    unless(
        header.batch() <= control.granted(),
        "%s: batch %d is emitted, %d are granted",
        id(),
        header.batch(),
        control.granted());
    ControlTruth.Batch batch = control.batch(header.batch());
    unless(
        header.firstIndex() == batch.firstIndex()
            && header.batchSize() == batch.size()
            && header.weightsVersion() == batch.version()
            && header.index() >= batch.firstIndex()
            && header.index() < batch.firstIndex() + batch.size()
            && record.timestamp() == header.batch()
            && record.partition() == header.index() % stream.size(),
        "%s: %s does not fit %s",
        id(),
        header,
        batch);
    same(record, header);
  }

  private void same(StreamRecord record, StreamHeader header) {
    StreamRecord first = sequences.putIfAbsent(header.index(), record);
    unless(
        first == null
            || (Arrays.equals(first.header(), record.header()) && first.value() == record.value()),
        "%s: sequence %d is emitted as %s and as %s",
        id(),
        header.index(),
        header,
        first);
  }

  /** The stream got it. */
  void write(StreamRecord record) {
    int partition = record.partition();
    long index = StreamHeader.decode(record.header()).index();
    stream.get(partition).add(record);
    if (index > whole[partition]) {
      witness.saw("sequence written before one that it must follow");
    } else if (index < whole[partition]) {
      witness.saw("sequence written again");
    } else {
      whole[partition] += stream.size();
    }
  }

  /** I2, as trainers see it: the sequences of a batch are those that the log counts. */
  void received(long number, List<byte[]> blocks) {
    ControlTruth.Batch batch = control.batch(number);
    int[] counts = new int[batch.counts().length];
    blocks.forEach(block -> counts[corpus.domainOf(block)]++);
    unless(
        Arrays.equals(counts, batch.counts()),
        "%s: batch %d has %s, granted is %s",
        id(),
        number,
        Arrays.toString(counts),
        batch);
  }

  /** I7: what was emitted is what a split emits that never stops. */
  void compareWithUndisturbed() {
    List<ControlLog.Logged> log = control.accepted();
    SimulatedSplit split =
        SimulatedSplit.start(spec(), ControlWire.read(log.get(0).record()), log.get(0).offset());
    for (ControlLog.Logged logged : log.subList(1, log.size())) {
      split.apply(ControlWire.read(logged.record()), logged.offset());
    }
    int emitted = 0;
    for (int stalls = 0; stalls < 3; stalls++) {
      split.fetch(corpus, 1_000);
      for (StreamRecord record = split.next(); record != null; record = split.next()) {
        same(record, StreamHeader.decode(record.header()));
        emitted++;
        stalls = 0;
      }
    }
    unless(emitted >= sequences.size(), "%s: %d of %d", id(), emitted, sequences.size());
  }
}
