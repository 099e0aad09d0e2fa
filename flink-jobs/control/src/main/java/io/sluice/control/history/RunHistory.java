package io.sluice.control.history;

import io.sluice.control.error.BadInputException;
import io.sluice.control.wire.ControlWire;
import io.sluice.mixture.decide.BatchSnapshots;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.mixture.log.ControlEntry.PhaseChange;
import io.sluice.mixture.log.ControlEntry.Refused;
import io.sluice.mixture.log.ControlEntry.Revised;
import io.sluice.mixture.log.ControlEntry.RoundDecision;
import io.sluice.mixture.log.ControlEntry.Started;
import io.sluice.mixture.log.RunState;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunOrigin;
import io.sluice.schema.RunRevised;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStarted;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The accepted entries of a run's control log and the state they fold to. Folding them replays the
 * plan: a log whose counts do not follow from its weights cannot be read.
 */
public final class RunHistory {
  private final String runId;
  private final List<ControlEntry> entries = new ArrayList<>();
  private final BatchSnapshots past;
  private final TreeMap<Long, RunSpec> specs = new TreeMap<>();
  private final Optional<RunOrigin> origin;
  private final String streamTopicId;

  private RunHistory(RunStarted started, ControlEntry start, long offset) {
    this.runId = start.runId();
    this.past = new BatchSnapshots(start, offset);
    this.origin = Optional.ofNullable(started.getOrigin());
    this.streamTopicId = started.getStreamTopicId();
    specs.put(start.serial(), started.getSpec());
    entries.add(start);
  }

  /**
   * The history of the run that was last started under a name.
   *
   * @throws BadInputException if there is none; the message names those there are
   */
  public static RunHistory read(KafkaAccess access, String run) {
    Map<String, RunHistory> byRunId = readAll(access);
    return byRunId.values().stream()
        .filter(history -> history.name().equals(run))
        .reduce((older, newer) -> newer)
        .orElseThrow(
            () -> {
              TreeSet<String> known = new TreeSet<>();
              byRunId.values().forEach(history -> known.add(history.name()));
              return new BadInputException("run must be one of " + known + ": '" + run + "'");
            });
  }

  /** The histories of all runs, by run id, in the order in which they were started. */
  public static Map<String, RunHistory> readAll(KafkaAccess access) {
    Map<String, RunHistory> byRunId = new LinkedHashMap<>();
    new TopicScan(access)
        .read(List.of(access.topics().control()), message -> accept(byRunId, message));
    return byRunId;
  }

  private static void accept(
      Map<String, RunHistory> byRunId, ConsumerRecord<byte[], byte[]> message) {
    ControlRecord record;
    ControlEntry entry;
    try {
      record = WireCodec.decode(ControlRecord.class, message.value());
      entry = ControlWire.read(record);
    } catch (WireFormatException | IllegalArgumentException e) {
      // Every reader ignores what is no entry; the job that reads it counts it.
      return;
    }
    RunHistory history = byRunId.get(entry.runId());
    if (history != null) {
      history.apply(record, entry, message.offset());
    } else if (record.getBody() instanceof RunStarted started
        && entry.serial() == 0
        && entry.basedOn() == -1) {
      byRunId.put(entry.runId(), new RunHistory(started, entry, message.offset()));
    }
  }

  private void apply(ControlRecord record, ControlEntry entry, long offset) {
    if (past.apply(entry, offset)) {
      entries.add(entry);
      if (record.getBody() instanceof RunRevised revised) {
        specs.put(entry.serial(), revised.getSpec());
      }
    }
  }

  /** Name and suffix. */
  public String runId() {
    return runId;
  }

  /** What people call the run. */
  public String name() {
    return specs.firstEntry().getValue().getRun();
  }

  /** The specification that the run began with, or last went over to. */
  public RunSpec spec() {
    return specs.lastEntry().getValue();
  }

  /** The specification in force once the entry of a serial was applied. */
  public RunSpec specAt(long serial) {
    return specs.floorEntry(serial).getValue();
  }

  /** The batch of another run that this one goes on from, for a fork. */
  public Optional<RunOrigin> origin() {
    return origin;
  }

  /** Kafka's id of the stream's topic; '' when it is not known. */
  public String streamTopicId() {
    return streamTopicId;
  }

  /** The run's state as of any granted batch. */
  public BatchSnapshots past() {
    return past;
  }

  /** What the log says to a command; empty while it says nothing. */
  public Optional<ControlEntry> answer(String commandId) {
    return entries.stream().filter(entry -> answers(entry, commandId)).findFirst();
  }

  private static boolean answers(ControlEntry entry, String commandId) {
    return (entry.body() instanceof PhaseChange change && change.commandId().equals(commandId))
        || (entry.body() instanceof Refused refused && refused.commandId().equals(commandId))
        || (entry.body() instanceof Revised revised && revised.commandId().equals(commandId));
  }

  /** The accepted entries, oldest first. */
  public List<ControlEntry> entries() {
    return List.copyOf(entries);
  }

  /** What they fold to. */
  public RunState state() {
    return past.state();
  }

  /** The accepted grants, in order, those of earlier timelines included. */
  public List<Grant> grants() {
    return entries.stream()
        .map(ControlEntry::body)
        .filter(Grant.class::isInstance)
        .map(Grant.class::cast)
        .toList();
  }

  /** The closed rounds, in order, each with the grant that closed it. */
  public List<Grant> rounds() {
    return grants().stream().filter(grant -> grant.decision().isPresent()).toList();
  }

  /**
   * Weights and the first batch that they govern.
   *
   * @param version 1 for the first; a rewind goes back to the version of its batch
   * @param firstBatch from 1
   * @param weights before masking
   */
  public record Version(int timeline, int version, long firstBatch, Weights weights) {}

  /** Every version that governs a granted batch, oldest first. */
  public List<Version> versions() {
    Map<List<Integer>, Version> versions = new LinkedHashMap<>();
    Weights decided = ((Started) entries.get(0).body()).snapshot().decided();
    for (ControlEntry entry : entries) {
      if (entry.body() instanceof Revised revised) {
        decided = revised.snapshot().decided();
      } else if (entry.body() instanceof Grant grant) {
        decided = grant.decision().map(RoundDecision::weights).orElse(decided);
        versions.putIfAbsent(
            List.of(entry.timeline(), grant.weightsVersion()),
            new Version(entry.timeline(), grant.weightsVersion(), grant.after() + 1, decided));
      }
    }
    return List.copyOf(versions.values());
  }
}
