package io.sluice.jobs.simulation;

import static io.sluice.jobs.simulation.Violation.unless;

import io.sluice.client.block.Sequence;
import io.sluice.control.wire.ControlWire;
import io.sluice.jobs.mix.source.SimulatedSplit;
import io.sluice.jobs.mix.stream.StreamRecord;
import io.sluice.schema.RunCommand;
import io.sluice.schema.RunSpec;
import io.sluice.schema.StreamHeader;
import io.sluice.schema.TrainerAttached;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.TrainerProgress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.apache.avro.specific.SpecificRecordBase;
import org.jspecify.annotations.Nullable;

/** The topics of one run, and what must hold of everything that is written to them. */
final class RunModel {
  private final Scenario scenario;
  private final Corpus corpus;
  private final FeedbackTruth feedback;
  private final AttachedTruth attached;
  private final ControlTruth control;
  private final List<RunCommand> commands = new ArrayList<>();
  private final List<Message> reports = new ArrayList<>();
  private final List<Partition> stream = new ArrayList<>();
  private final Map<Integer, TreeSet<Long>> progress = new HashMap<>();
  private final Map<Identity, StreamRecord> sequences = new HashMap<>();
  private final Witness witness;
  private final long firstSequence;

  /**
   * A record of the feedback partition.
   *
   * @param read null when nothing can be read
   */
  record Message(@Nullable SpecificRecordBase read) {}

  /** What a sequence is told by. */
  private record Identity(int timeline, long index) {}

  /** A run of its own. */
  RunModel(Scenario scenario, Witness witness) {
    this(
        scenario,
        new Corpus(scenario.spec(), scenario.sizes()),
        ExpectedProgress.start(scenario.spec()),
        witness);
  }

  /** A run that begins with the state of another. */
  RunModel(Scenario scenario, Corpus corpus, ExpectedProgress start, Witness witness) {
    this.scenario = scenario;
    this.witness = witness;
    this.firstSequence = start.nextSequence();
    this.corpus = corpus;
    this.feedback = new FeedbackTruth(scenario.metrics());
    this.attached = new AttachedTruth(this);
    this.control = new ControlTruth(this, start);
    int partitions = scenario.spec().getStreamPartitions();
    for (int p = 0; p < partitions; p++) {
      stream.add(new Partition(partitions, witness));
    }
  }

  Witness witness() {
    return witness;
  }

  Scenario scenario() {
    return scenario;
  }

  String id() {
    return scenario.runId();
  }

  /** What the run was started with. */
  RunSpec spec() {
    return scenario.spec();
  }

  Corpus corpus() {
    return corpus;
  }

  FeedbackTruth feedback() {
    return feedback;
  }

  AttachedTruth attached() {
    return attached;
  }

  ControlTruth control() {
    return control;
  }

  List<RunCommand> commands() {
    return commands;
  }

  /** The body of a command. */
  Object asked(String commandId) {
    return commands.stream()
        .filter(command -> command.getCommandId().equals(commandId))
        .findFirst()
        .map(RunCommand::getBody)
        .orElse("nothing");
  }

  List<Message> reports() {
    return reports;
  }

  Partition stream(int partition) {
    return stream.get(partition);
  }

  /** A trainer's message reaches the feedback partition. */
  void report(SpecificRecordBase message) {
    reports.add(new Message(message));
    if (message instanceof TrainerFeedback report) {
      feedback.append(report, control.now().settings().domains());
    } else if (message instanceof TrainerProgress reached) {
      progressOf(reached.getTimeline()).add(reached.getBatch());
    } else if (message instanceof TrainerAttached process) {
      attached.append(process);
    }
  }

  /** Something that nobody can read reaches the feedback partition. */
  void reportUnreadable() {
    reports.add(new Message(null));
    witness.saw("feedback unreadable");
  }

  private NavigableSet<Long> progressOf(int timeline) {
    return progress.computeIfAbsent(timeline, t -> new TreeSet<>());
  }

  /** The furthest report of a timeline that is within the grants. */
  long progress(int timeline, long granted) {
    Long reported = progressOf(timeline).floor(granted);
    return Math.max(reported == null ? 0 : reported, control.lineage().openedAfter(timeline));
  }

  /** I1, I3, I5: a split emits only what is granted, and always the same. */
  void emitted(StreamRecord record) {
    StreamHeader header = StreamHeader.decode(record.header());
    ControlTruth.Batch batch = control.batch(header.timeline(), header.batch());
    if (batch == null) {
      throw new Violation(id() + ": " + header + " is emitted and not granted");
    }
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
    StreamRecord first =
        sequences.putIfAbsent(new Identity(header.timeline(), header.index()), record);
    unless(
        first == null
            || (Arrays.equals(first.header(), record.header())
                && first.value().array() == record.value().array()),
        "%s: sequence %d is emitted as %s and as %s",
        id(),
        header.index(),
        header,
        first);
  }

  /** The stream got it. */
  void write(StreamRecord record) {
    stream.get(record.partition()).append(record);
  }

  /** Gives up all batches before one. */
  void reclaim(long before) {
    stream.forEach(partition -> partition.reclaim(before));
  }

  /** I2, as trainers see it: the sequences of a batch are those that the log counts. */
  void received(int timeline, long number, List<Sequence> rows) {
    ControlTruth.Batch batch = control.batch(timeline, number);
    if (batch == null) {
      throw new Violation(id() + ": batch " + number + " is trained on and not granted");
    }
    int[] counts = new int[batch.counts().length];
    for (int i = 0; i < rows.size(); i++) {
      Sequence row = rows.get(i);
      StreamRecord emitted = sequences.get(new Identity(timeline, row.index()));
      unless(
          row.index() == batch.firstIndex() + i
              && Arrays.equals(emitted.value().array(), row.encodedBlock()),
          "%s: row %d of batch %d is %s",
          id(),
          i,
          number,
          row);
      counts[corpus.domainOf(emitted.value().array())]++;
    }
    unless(
        Arrays.equals(counts, batch.counts()),
        "%s: a batch has %s, granted is %s",
        id(),
        Arrays.toString(counts),
        batch);
  }

  /** Whether rounds close that nobody reports on, whatever is revised. */
  boolean goesOnWithoutFeedback() {
    return spec().getOnTimeout().equals("keep-weights");
  }

  /** I7: what was emitted is what a split emits that never stops. */
  void compareWithUndisturbed() {
    long emitted = 0;
    for (int lane = 0; lane < spec().getLanes(); lane++) {
      emitted += undisturbed(lane);
    }
    long granted = control.now().nextSequence() - firstSequence;
    unless(
        emitted == granted || control.phase().equals("deleted"),
        "%s: %d of %d sequences are emitted",
        id(),
        emitted,
        granted);
  }

  /** Sequences of the lineage that a lane's split emits. */
  private long undisturbed(int lane) {
    List<ControlLog.Logged> log = control.accepted();
    ControlLog.Logged first = log.get(0);
    SimulatedSplit split =
        SimulatedSplit.start(
            spec(), lane, ControlWire.read(first.record(), first.value()), first.offset());
    for (ControlLog.Logged logged : log.subList(1, log.size())) {
      split.apply(ControlWire.read(logged.record(), logged.value()), logged.offset());
    }
    long emitted = 0;
    for (int stalls = 0; stalls < 3 + log.size(); stalls++) {
      split.fetch(corpus.lane(lane), 1_000);
      for (StreamRecord record = split.next(); record != null; record = split.next()) {
        StreamHeader header = StreamHeader.decode(record.header());
        same(record, header);
        emitted += control.lineage().owner(header.batch()) == header.timeline() ? 1 : 0;
        stalls = 0;
      }
    }
    return emitted;
  }
}
