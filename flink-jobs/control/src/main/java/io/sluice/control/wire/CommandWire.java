package io.sluice.control.wire;

import io.sluice.mixture.decide.Command;
import io.sluice.mixture.decide.Inheritance;
import io.sluice.mixture.log.RunPhase;
import io.sluice.schema.ApplyRun;
import io.sluice.schema.ChangeRunState;
import io.sluice.schema.DomainInheritance;
import io.sluice.schema.DomainShare;
import io.sluice.schema.DrainRun;
import io.sluice.schema.Limits;
import io.sluice.schema.ReviseRun;
import io.sluice.schema.RewindRun;
import io.sluice.schema.RunCommand;
import io.sluice.schema.RunSpec;
import io.sluice.schema.SetWeights;
import io.sluice.schema.run.DocumentMasks;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.avro.specific.SpecificRecordBase;

/** Commands on the wire as what a run's log answers. */
public final class CommandWire {
  private static final Set<RunPhase> COMMANDED =
      EnumSet.of(
          RunPhase.RUNNING, RunPhase.PAUSED, RunPhase.STOPPED, RunPhase.FAILED, RunPhase.DELETED);

  private CommandWire() {}

  /**
   * The command that a record holds.
   *
   * @param now the run's specification
   * @param granted its last granted batch
   * @throws IllegalArgumentException if nobody can ask for it, or it starts a run
   */
  public static Command read(RunCommand record, RunSpec now, long granted) {
    String id = record.getCommandId();
    if (record.getBody() instanceof ChangeRunState change) {
      return new Command.ChangePhase(id, phase(change), change.getReason());
    }
    if (record.getBody() instanceof SetWeights set) {
      return new Command.SetWeights(
          id, shares(set.getShares()), Optional.ofNullable(set.getPinned()), set.getReason());
    }
    if (record.getBody() instanceof ReviseRun revise) {
      RunSpecs.requireSameStream(now, revise.getSpec());
      return new Command.Revise(
          id,
          RunSpecs.settings(DocumentMasks.resolved(revise.getSpec(), granted)),
          shares(revise.getShares()),
          revise.getInheritances().stream().map(CommandWire::inheritance).toList(),
          revise.getReason());
    }
    if (record.getBody() instanceof RewindRun rewind) {
      RunSpecs.requireSameStream(now, rewind.getSpec());
      return new Command.Rewind(
          id,
          rewind.getExpectedTimeline(),
          RunSpecs.settings(rewind.getSpec()),
          Snapshots.read(rewind.getSnapshot()),
          rewind.getSkippedTo(),
          rewind.getReason());
    }
    if (record.getBody() instanceof DrainRun drain) {
      return new Command.Drain(id, drain.getBatches(), drain.getReason());
    }
    throw new IllegalArgumentException("a run starts only once");
  }

  /**
   * The command that declares a run failed. Its id is always the same, so that a run fails once,
   * whoever notices.
   *
   * @param millis decides nothing
   */
  public static RunCommand failure(String runId, String reason, long millis) {
    byte[] key = runId.getBytes(StandardCharsets.UTF_8);
    return RunCommand.newBuilder()
        .setCommandId("failed-" + UUID.nameUUIDFromBytes(key))
        .setRunId(runId)
        .setTimeMillis(millis)
        .setBody(
            new ChangeRunState(RunPhase.FAILED.wireName(), Limits.shortened(reason, Limits.TEXT)))
        .build();
  }

  /**
   * Refuses a command with a text that is longer than anybody needs: the log, which answers it,
   * would have to repeat that.
   *
   * @throws IllegalArgumentException naming the text, what it may be, and what it is
   */
  public static void requireBounded(RunCommand record) {
    Limits.requireText("commandId", record.getCommandId(), 1, Limits.NONCE);
    if (record.getBody() instanceof ApplyRun apply) {
      Limits.requireText("streamTopicId", apply.getStreamTopicId(), 0, Limits.TOPIC_ID);
      if (apply.getOrigin() != null) {
        Limits.requireText("origin's runId", apply.getOrigin().getRunId(), 1, Limits.RUN_ID);
      }
      return;
    }
    SpecificRecordBase body = (SpecificRecordBase) record.getBody();
    Limits.requireText("reason", (String) body.get("reason"), 0, Limits.TEXT);
  }

  /**
   * The specification that a command brings; empty if it leaves the run's.
   *
   * @param granted the run's last granted batch
   */
  public static Optional<RunSpec> spec(RunCommand record, long granted) {
    if (record.getBody() instanceof ReviseRun revise) {
      return Optional.of(DocumentMasks.resolved(revise.getSpec(), granted));
    }
    if (record.getBody() instanceof RewindRun rewind) {
      return Optional.of(rewind.getSpec());
    }
    return record.getBody() instanceof ApplyRun apply
        ? Optional.of(apply.getSpec())
        : Optional.empty();
  }

  /**
   * The phase that a command asks for.
   *
   * @throws IllegalArgumentException if nobody can ask for it
   */
  public static RunPhase phase(ChangeRunState change) {
    return COMMANDED.stream()
        .filter(phase -> phase.wireName().equals(change.getState()))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "state must be one of "
                        + COMMANDED.stream().map(RunPhase::wireName).toList()
                        + ": '"
                        + Limits.shown(change.getState())
                        + "'"));
  }

  private static Inheritance inheritance(DomainInheritance asked) {
    return new Inheritance(asked.getDomain(), asked.getParent(), asked.getShare());
  }

  private static SortedMap<String, Double> shares(List<DomainShare> shares) {
    SortedMap<String, Double> byDomain = new TreeMap<>();
    for (DomainShare share : shares) {
      if (byDomain.put(share.getDomain(), share.getShare()) != null) {
        throw new IllegalArgumentException(
            "each domain must be given once: '"
                + Limits.shown(share.getDomain())
                + "' is there twice");
      }
    }
    return byDomain;
  }
}
