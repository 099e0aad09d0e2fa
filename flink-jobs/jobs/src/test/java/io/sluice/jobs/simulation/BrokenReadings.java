package io.sluice.jobs.simulation;

import io.sluice.control.wire.ControlWire;
import io.sluice.mixture.log.LogPosition;
import io.sluice.mixture.log.RunState;
import io.sluice.mixture.plan.MixturePlan;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.LogSnapshot;
import io.sluice.schema.MixtureGrant;
import io.sluice.schema.RoundDecision;
import io.sluice.schema.RunSnapshot;
import io.sluice.schema.RunStarted;
import io.sluice.schema.RunStateChanged;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.WireCodec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Readings of the grant protocol that fail, as far as the control log is read or written. */
final class BrokenReadings {
  private BrokenReadings() {}

  private static ControlRecord copy(ControlRecord record) {
    return WireCodec.decode(ControlRecord.class, WireCodec.encode(record));
  }

  private static ControlRecord rebased(ControlRecord record, LogPosition at) {
    ControlRecord rebased = copy(record);
    rebased.setBasedOn(at.offset());
    rebased.setBasedOnDigest(at.digest());
    return rebased;
  }

  private static @Nullable RoundDecision decision(ControlRecord record) {
    return record.getBody() instanceof MixtureGrant grant ? grant.getDecision() : null;
  }

  private static String key(Instance instance, ControlRecord record) {
    return instance.name() + "/" + record.getRunId() + "/" + record.getSerial();
  }

  /** Of two records with one serial, splits obey the later. */
  static final class LatestRecordWins extends Conduct {
    private final Map<Writer, Long> replaced = new HashMap<>();

    @Override
    ControlRecord sequence(Writer writer, ControlRecord record, long offset) {
      LogPosition at = writer.position();
      if (at == null) {
        return record;
      }
      boolean rival =
          record.getSerial() == at.serial()
              && offset > Math.max(at.offset(), replaced.getOrDefault(writer, 0L))
              && record.getBody() instanceof MixtureGrant;
      if (rival) {
        replaced.put(writer, offset);
        writer.reread();
        at = writer.position();
      }
      boolean next = at != null && record.getSerial() == at.serial() + 1;
      return next ? rebased(record, at) : record;
    }
  }

  /** Whatever snapshot is the newest record is begun with. */
  static final class NewestSnapshotBelieved extends Conduct {
    @Override
    Optional<ControlLog.Logged> beginning(ControlLog log, String runId) {
      return log.newestSnapshot(runId);
    }
  }

  /** A snapshot that is not what the log folds to is written, and nobody compares. */
  static final class SnapshotNotCompared extends Conduct {
    @Override
    List<ControlRecord> propose(Instance instance, List<ControlRecord> proposals) {
      return proposals.stream().map(SnapshotNotCompared::wrong).toList();
    }

    private static ControlRecord wrong(ControlRecord record) {
      ControlRecord bent = copy(record);
      if (bent.getBody() instanceof LogSnapshot snapshot) {
        RunSnapshot said = snapshot.getSnapshot();
        said.setWeightsVersion(said.getWeightsVersion() + 1);
      }
      return bent;
    }

    @Override
    ControlRecord follow(Instance instance, ControlRecord record, long offset) {
      Optional<RunState> fold = instance.fold(record.getRunId());
      if (!(record.getBody() instanceof LogSnapshot) || fold.isEmpty()) {
        return record;
      }
      ControlRecord bent = copy(record);
      bent.setBody(new RunStateChanged(fold.get().phase().wireName(), "", true));
      return bent;
    }
  }

  /** Controllers take what they send as decided. */
  static final class OwnProposalsTrusted extends Conduct {
    @Override
    boolean trustsOwnProposals(Instance instance) {
      return true;
    }
  }

  /** A record with the next serial applies, whatever it is based on. */
  static final class BaseIgnored extends Conduct {
    @Override
    ControlRecord follow(Instance instance, ControlRecord record, long offset) {
      Optional<RunState> fold = instance.fold(record.getRunId());
      boolean next = fold.isPresent() && record.getSerial() == fold.get().position().serial() + 1;
      return next ? rebased(record, fold.get().position()) : record;
    }

    @Override
    ControlRecord sequence(Writer writer, ControlRecord record, long offset) {
      LogPosition at = writer.position();
      boolean next = at != null && record.getSerial() == at.serial() + 1;
      return next ? rebased(record, at) : record;
    }
  }

  /** After a restore, what was in flight at the checkpoint is awaited. */
  static final class InFlightRestored extends Conduct {
    private final Set<String> awaited = new HashSet<>();

    @Override
    void restored(Instance instance, List<ControlRecord> inFlight) {
      inFlight.forEach(record -> awaited.add(key(instance, record)));
    }

    @Override
    List<ControlRecord> propose(Instance instance, List<ControlRecord> proposals) {
      return proposals.stream().filter(record -> !awaited.contains(key(instance, record))).toList();
    }
  }

  /** Whoever has proposed a decision keeps its own, though another's has won. */
  static final class OwnPolicyStateKept extends Conduct {
    private final Map<String, RoundDecision> own = new HashMap<>();

    @Override
    List<ControlRecord> propose(Instance instance, List<ControlRecord> proposals) {
      for (ControlRecord record : proposals) {
        RoundDecision decision = decision(record);
        if (decision != null) {
          own.put(key(instance, record), decision);
        }
      }
      return proposals;
    }

    @Override
    ControlRecord follow(Instance instance, ControlRecord record, long offset) {
      RoundDecision mine = own.get(key(instance, record));
      if (mine == null || decision(record) == null) {
        return record;
      }
      ControlRecord bent = copy(record);
      RoundDecision decision = ((MixtureGrant) bent.getBody()).getDecision();
      decision.setKept(false);
      decision.setPolicyState(mine.getPolicyState());
      return bent;
    }
  }

  /** Whoever has proposed to keep the weights of a round keeps them, though the log does not. */
  static final class TimeOutDecidedLocally extends Conduct {
    private final Set<String> kept = new HashSet<>();

    @Override
    List<ControlRecord> propose(Instance instance, List<ControlRecord> proposals) {
      for (ControlRecord record : proposals) {
        RoundDecision decision = decision(record);
        if (decision != null && decision.getKept()) {
          kept.add(key(instance, record));
        }
      }
      return proposals;
    }

    @Override
    ControlRecord follow(Instance instance, ControlRecord record, long offset) {
      if (decision(record) == null || !kept.contains(key(instance, record))) {
        return record;
      }
      ControlRecord bent = copy(record);
      ((MixtureGrant) bent.getBody()).getDecision().setKept(true);
      return bent;
    }
  }

  /** The plan goes on from what was proposed last, not from the log. */
  static final class OwnPlanKept extends Conduct {
    private final Map<String, MixturePlan> plans = new HashMap<>();

    @Override
    List<ControlRecord> propose(Instance instance, List<ControlRecord> proposals) {
      return proposals.stream().map(record -> planned(instance, record)).toList();
    }

    private ControlRecord planned(Instance instance, ControlRecord record) {
      ControlRecord bent = copy(record);
      if (bent.getBody() instanceof MixtureGrant grant) {
        MixturePlan plan =
            plans.computeIfAbsent(
                instance.name() + record.getRunId(),
                run -> MixturePlan.start(grant.getEffectiveWeights().size()));
        Weights weights = ControlWire.weights(grant.getEffectiveWeights());
        List<Integer> counts = new ArrayList<>();
        for (int size : grant.getBatchSizes()) {
          for (int count : plan.next(weights, size)) {
            counts.add(count);
          }
        }
        grant.setCounts(counts);
      }
      return bent;
    }
  }

  /** An old deployment decides with its own settings. */
  static final class OwnSettings extends Conduct {
    @Override
    ControlRecord follow(Instance instance, ControlRecord record, long offset) {
      ControlRecord bent = copy(record);
      if (bent.getBody() instanceof RunStarted started
          && !started.getSpec().getPolicySettings().isEmpty()
          && instance.name().equals("zombie")) {
        started.getSpec().setPolicySettings(Map.of("target-fraction", "0.5", "eta", "3"));
      }
      return bent;
    }
  }

  /** The weights of later grants start from those that a mask has left. */
  static final class EffectiveWeightsKept extends Conduct {
    @Override
    ControlRecord follow(Instance instance, ControlRecord record, long offset) {
      Optional<RunState> fold = instance.fold(record.getRunId());
      ControlRecord bent = copy(record);
      if (bent.getBody() instanceof MixtureGrant grant && fold.isPresent()) {
        RunState state = fold.get();
        RoundDecision old = grant.getDecision();
        boolean changed = old != null && !old.getKept();
        grant.setDecision(
            RoundDecision.newBuilder()
                .setRound(old == null ? state.round() : old.getRound())
                .setStep(0)
                .setKept(false)
                .setAttempt("")
                .setWeights(grant.getEffectiveWeights())
                .setPolicyState(
                    changed ? old.getPolicyState() : ByteBuffer.wrap(state.policyState()))
                .setValues(List.of())
                .build());
      }
      return bent;
    }
  }

  /** Reports count for a step and a rank, whatever attempt they belong to. */
  static final class AttemptIgnored extends NamedAfterWinner {
    @Override
    List<TrainerFeedback> report(Instance instance, TrainerFeedback feedback) {
      return List.of(TrainerFeedback.newBuilder(feedback).setAttempt("any").build());
    }
  }

  /** A report that is sent again replaces the first. */
  static final class LastValueWins extends Conduct {
    private final Map<String, TreeMap<Integer, TrainerFeedback>> ranks = new HashMap<>();

    @Override
    List<TrainerFeedback> report(Instance instance, TrainerFeedback feedback) {
      String key =
          instance.name()
              + feedback.getRunId()
              + feedback.getTimeline()
              + feedback.getAttempt()
              + feedback.getMetric();
      TreeMap<Integer, TrainerFeedback> heard = ranks.computeIfAbsent(key, k -> new TreeMap<>());
      heard.put(feedback.getRank(), feedback);
      return heard.size() < feedback.getWorldSize() ? List.of() : List.copyOf(heard.values());
    }
  }

  /** A report counts for the round that is open when it is read. */
  static final class OpenRoundFed extends NamedAfterWinner {
    @Override
    List<TrainerFeedback> report(Instance instance, TrainerFeedback feedback) {
      Optional<RunState> fold = instance.fold(feedback.getRunId());
      if (fold.isEmpty() || fold.get().round() == 0) {
        return List.of(feedback);
      }
      long open = (fold.get().round() + 1) * fold.get().settings().updateEvery();
      return List.of(
          TrainerFeedback.newBuilder(feedback).setStep(Math.max(open, feedback.getStep())).build());
    }
  }

  /** Its decisions name the attempt that should have won, so that only their values are wrong. */
  private abstract static class NamedAfterWinner extends Conduct {
    @Override
    List<ControlRecord> propose(Instance instance, List<ControlRecord> proposals) {
      return proposals.stream().map(record -> named(instance, record)).toList();
    }

    private static ControlRecord named(Instance instance, ControlRecord record) {
      ControlRecord bent = copy(record);
      RoundDecision decision = decision(bent);
      if (decision != null && !decision.getKept()) {
        decision.setAttempt(instance.winner(record.getRunId(), decision.getStep()));
      }
      return bent;
    }
  }
}
