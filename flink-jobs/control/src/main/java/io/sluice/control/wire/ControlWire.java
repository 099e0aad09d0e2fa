package io.sluice.control.wire;

import io.sluice.control.topics.RunLog;
import io.sluice.mixture.decide.RunPolicy;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.mixture.log.ControlEntry.PhaseChange;
import io.sluice.mixture.log.ControlEntry.Refused;
import io.sluice.mixture.log.ControlEntry.Revised;
import io.sluice.mixture.log.ControlEntry.Started;
import io.sluice.mixture.log.EntryDigests;
import io.sluice.mixture.log.EntryLink;
import io.sluice.mixture.log.RunLimits;
import io.sluice.mixture.log.RunPhase;
import io.sluice.mixture.log.RunSettings;
import io.sluice.mixture.log.Snapshot;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.ApplyRun;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.EntryDigest;
import io.sluice.schema.LevelShare;
import io.sluice.schema.Limits;
import io.sluice.schema.LogSnapshot;
import io.sluice.schema.MixtureGrant;
import io.sluice.schema.RoundDecision;
import io.sluice.schema.RunRevised;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStarted;
import io.sluice.schema.RunStateChanged;
import io.sluice.schema.WireCodec;
import io.sluice.schema.run.Delivery;
import io.sluice.schema.set.IdHash;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** Control log entries as records on the wire, and back. */
public final class ControlWire {
  /** The last schema without snapshots, which readers of the log that runs share may know alone. */
  private static final Schema SHARED = WireCodec.schemas(ControlRecord.class).get(2);

  /** The last schema without digests, likewise for logs that were begun without. */
  private static final Schema WITHOUT_DIGESTS = WireCodec.schemas(ControlRecord.class).get(3);

  /** The last schema without rows, likewise for entries that have none. */
  private static final Schema WHOLE_ROWS = WireCodec.schemas(ControlRecord.class).get(4);

  /** The last schema without masks, likewise. */
  private static final Schema UNMASKED = WireCodec.schemas(ControlRecord.class).get(5);

  /** The last schema of runs all of whose blocks name their documents. */
  private static final Schema NAMED = WireCodec.schemas(ControlRecord.class).get(6);

  /** The last schema of runs all of which have a stream. */
  private static final Schema STREAMED = WireCodec.schemas(ControlRecord.class).get(7);

  /** The last schema of runs none of which has a place among others. */
  private static final Schema UNRANKED = WireCodec.schemas(ControlRecord.class).get(8);

  private ControlWire() {}

  /**
   * The value of a record for a log, whose readers may know no more than it was begun with. One
   * that cuts rows or masks documents, whose run's blocks have hashes of ids, or whose run has no
   * stream, or limits of its own, is for readers that know of it: to others it is no entry.
   */
  public static byte[] encode(ControlRecord record, RunLog log) {
    RunSpec spec = spec(record.getBody());
    if (spec != null && !RunSpecs.limits(spec).equals(RunLimits.NONE)) {
      return WireCodec.encode(record);
    }
    if (spec != null && Delivery.isDerived(spec)) {
      return WireCodec.encodeAs(UNRANKED, record);
    }
    if (spec != null && IdHash.in(spec.getDocumentIds())) {
      return WireCodec.encodeAs(STREAMED, record);
    }
    if (spec != null && !spec.getMasks().isEmpty()) {
      return WireCodec.encodeAs(NAMED, record);
    }
    if (spec != null && !spec.getRowLengths().isEmpty()) {
      return WireCodec.encodeAs(UNMASKED, record);
    }
    if (log == RunLog.SHARED) {
      return WireCodec.encodeAs(SHARED, record);
    }
    return WireCodec.encodeAs(
        record.getBasedOnDigest() == null ? WITHOUT_DIGESTS : WHOLE_ROWS, record);
  }

  private static @Nullable RunSpec spec(Object body) {
    if (body instanceof RunStarted started) {
      return started.getSpec();
    }
    if (body instanceof RunRevised revised) {
      return revised.getSpec();
    }
    return body instanceof LogSnapshot snapshot ? snapshot.getSpec() : null;
  }

  /** Which entry a record with these bytes claims to follow; what it says is not looked at. */
  public static EntryLink link(ControlRecord record, byte[] value) {
    return new EntryLink(
        record.getRunId(), record.getSerial(), record.getBasedOn(), digests(record, value));
  }

  private static EntryDigests digests(ControlRecord record, byte[] value) {
    return new EntryDigests(record.getBasedOnDigest(), EntryDigest.of(value));
  }

  /**
   * The entry that a record holds.
   *
   * @param value the record's bytes
   * @throws IllegalArgumentException if the record breaks a rule of the entry it claims to be
   */
  public static ControlEntry read(ControlRecord record, byte[] value) {
    return read(record, EntryDigest.of(value));
  }

  /**
   * The entry that a record holds.
   *
   * @param digest the record's {@link EntryDigest}
   * @throws IllegalArgumentException if the record breaks a rule of the entry it claims to be
   */
  public static ControlEntry read(ControlRecord record, long digest) {
    Limits.requireText("runId", record.getRunId(), 1, Limits.RUN_ID);
    return new ControlEntry(
        record.getRunId(),
        record.getTimeline(),
        record.getSerial(),
        record.getBasedOn(),
        new EntryDigests(record.getBasedOnDigest(), digest),
        record.getWhy(),
        readBody(record.getBody()));
  }

  private static ControlEntry.Body readBody(Object body) {
    if (body instanceof RunStarted started) {
      Limits.requireText("streamTopicId", started.getStreamTopicId(), 0, Limits.TOPIC_ID);
      RunSettings settings = RunSpecs.settings(started.getSpec());
      return new Started(started.getPlanVersion(), settings, begins(started, settings));
    }
    if (body instanceof MixtureGrant grant) {
      return new Grant(
          grant.getAfter(),
          grant.getTo(),
          grant.getFirstSequence(),
          grant.getWeightsVersion(),
          ints(grant.getBatchSizes()),
          ints(grant.getCounts()),
          weights(grant.getEffectiveWeights()),
          longs(grant.getSupply()),
          Optional.ofNullable(grant.getDecision()).map(ControlWire::readDecision));
    }
    if (body instanceof RunRevised revised) {
      return new Revised(
          commandId(revised.getCommandId()),
          RunSpecs.settings(revised.getSpec()),
          Snapshots.read(revised.getSnapshot()),
          revised.getSkippedTo());
    }
    if (body instanceof LogSnapshot snapshot) {
      return LogSummaries.read(snapshot);
    }
    RunStateChanged change = (RunStateChanged) body;
    RunPhase phase = RunPhase.ofWireName(change.getState());
    return change.getRefused()
        ? new Refused(phase, commandId(change.getCommandId()))
        : new PhaseChange(phase, commandId(change.getCommandId()));
  }

  /** Every fold keeps it. */
  static String commandId(String id) {
    return Limits.requireText("commandId", id, 0, Limits.NONCE);
  }

  private static Snapshot begins(RunStarted started, RunSettings settings) {
    if (started.getOrigin() != null) {
      return Snapshots.read(started.getOrigin().getSnapshot());
    }
    if (started.getSnapshot() != null) {
      return Snapshots.read(started.getSnapshot());
    }
    try {
      // Of a run that was started before its log had this: the policy's, if it is there.
      return RunPolicy.start(settings);
    } catch (IllegalArgumentException e) {
      return Snapshot.start(settings, settings.initialWeights(), new byte[0]);
    }
  }

  private static ControlEntry.RoundDecision readDecision(RoundDecision decision) {
    ByteBuffer state = decision.getPolicyState().duplicate();
    byte[] policyState = new byte[state.remaining()];
    state.get(policyState);
    return new ControlEntry.RoundDecision(
        decision.getRound(),
        decision.getStep(),
        decision.getKept(),
        decision.getAttempt(),
        weights(decision.getWeights()),
        policyState,
        decision.getValues().stream().mapToDouble(Double::doubleValue).toArray(),
        readLevels(decision.getLevels()));
  }

  private static SortedMap<String, Double> readLevels(List<LevelShare> levels) {
    SortedMap<String, Double> shares = new TreeMap<>();
    levels.forEach(level -> shares.put(level.getPath(), level.getShare()));
    return shares;
  }

  /**
   * The record of the entry that starts a run, which carries all that was asked for.
   *
   * @param asked with the specification, and the origin of a fork
   */
  public static ControlRecord started(
      ControlEntry entry, ApplyRun asked, String writer, long timeMillis) {
    RunSpec spec = asked.getSpec();
    Started started = (Started) entry.body();
    RunStarted body =
        RunStarted.newBuilder()
            .setSpec(spec)
            .setPlanVersion(started.planVersion())
            .setStreamTopicId(asked.getStreamTopicId())
            .setOrigin(asked.getOrigin())
            .setSnapshot(asked.getOrigin() == null ? Snapshots.write(started.snapshot()) : null)
            .setStartOrdinals(Collections.nCopies(spec.getDomains().size(), 0L))
            .build();
    return envelope(entry, body, writer, timeMillis);
  }

  /** The record of an entry that revises a run, which carries the whole specification. */
  public static ControlRecord revised(
      ControlEntry entry, RunSpec spec, String writer, long timeMillis) {
    Revised revised = (Revised) entry.body();
    RunRevised body =
        RunRevised.newBuilder()
            .setCommandId(revised.commandId())
            .setSpec(spec)
            .setSnapshot(Snapshots.write(revised.snapshot()))
            .setSkippedTo(revised.skippedTo())
            .build();
    return envelope(entry, body, writer, timeMillis);
  }

  /** The record of an entry that sums up a log. */
  public static ControlRecord summed(
      ControlEntry entry, LogSnapshot body, String writer, long timeMillis) {
    return envelope(entry, body, writer, timeMillis);
  }

  /**
   * The record of an entry that needs no specification.
   *
   * @param writer nonce of the proposing instance
   * @param timeMillis when it proposes; decides nothing
   */
  public static ControlRecord write(ControlEntry entry, String writer, long timeMillis) {
    if (entry.body() instanceof Grant grant) {
      return envelope(entry, writeGrant(grant), writer, timeMillis);
    }
    if (entry.body() instanceof PhaseChange change) {
      RunStateChanged body = phase(change.phase(), change.commandId(), false);
      return envelope(entry, body, writer, timeMillis);
    }
    if (entry.body() instanceof Refused refused) {
      RunStateChanged body = phase(refused.phase(), refused.commandId(), true);
      return envelope(entry, body, writer, timeMillis);
    }
    throw new IllegalArgumentException("this entry is written with its specification");
  }

  private static RunStateChanged phase(RunPhase phase, String commandId, boolean refused) {
    return RunStateChanged.newBuilder()
        .setState(phase.wireName())
        .setCommandId(commandId)
        .setRefused(refused)
        .build();
  }

  private static MixtureGrant writeGrant(Grant grant) {
    return MixtureGrant.newBuilder()
        .setAfter(grant.after())
        .setTo(grant.to())
        .setFirstSequence(grant.firstSequence())
        .setWeightsVersion(grant.weightsVersion())
        .setBatchSizes(boxed(grant.batchSizes()))
        .setCounts(boxed(grant.counts()))
        .setEffectiveWeights(boxed(grant.effective()))
        .setSupply(boxed(grant.bounds()))
        .setDecision(grant.decision().map(ControlWire::writeDecision).orElse(null))
        .build();
  }

  private static RoundDecision writeDecision(ControlEntry.RoundDecision decision) {
    return RoundDecision.newBuilder()
        .setRound(decision.round())
        .setStep(decision.step())
        .setKept(decision.kept())
        .setAttempt(decision.attempt())
        .setWeights(boxed(decision.weights()))
        .setPolicyState(ByteBuffer.wrap(decision.policyState()))
        .setValues(Arrays.stream(decision.scores()).boxed().toList())
        .setLevels(
            decision.levels().entrySet().stream()
                .map(level -> new LevelShare(level.getKey(), level.getValue()))
                .toList())
        .build();
  }

  private static ControlRecord envelope(
      ControlEntry entry, Object body, String writer, long timeMillis) {
    return ControlRecord.newBuilder()
        .setRunId(entry.runId())
        .setTimeline(entry.timeline())
        .setSerial(entry.serial())
        .setBasedOn(entry.basedOn())
        .setBasedOnDigest(entry.digests().base())
        .setWriter(writer)
        .setTimeMillis(timeMillis)
        .setWhy(Limits.shortened(entry.why(), Limits.TEXT))
        .setBody(body)
        .build();
  }

  /** Weights of a record; refused unless they sum to 2^40. */
  public static Weights weights(List<Long> parts) {
    return Weights.of(longs(parts));
  }

  /** Weights for a record. */
  public static List<Long> boxed(Weights weights) {
    return boxed(weights.parts());
  }

  static List<Long> boxed(long[] values) {
    return Arrays.stream(values).boxed().toList();
  }

  static long[] longs(List<Long> values) {
    return values.stream().mapToLong(Long::longValue).toArray();
  }

  private static List<Integer> boxed(int[] values) {
    return Arrays.stream(values).boxed().toList();
  }

  private static int[] ints(List<Integer> values) {
    return values.stream().mapToInt(Integer::intValue).toArray();
  }
}
