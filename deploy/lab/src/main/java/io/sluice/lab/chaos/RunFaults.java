package io.sluice.lab.chaos;

import io.sluice.client.run.RunInfo;
import io.sluice.lab.chaos.fault.FaultKind;
import io.sluice.lab.chaos.fault.Poison;
import io.sluice.lab.chaos.fault.RecordForger;
import io.sluice.lab.chaos.trainer.TrainedRun;
import io.sluice.lab.chaos.trainer.Waiting;
import io.sluice.schema.KafkaAccess;
import java.time.Duration;
import java.util.Random;

/** What is done to runs and their topics. */
record RunFaults(KafkaAccess kafka, Runs runs) {
  private static final Duration TAKEN_IN = Duration.ofSeconds(3);

  String deleteStream(TrainedRun run) {
    String topic = LostStream.delete(kafka, run.run());
    runs.judgeWithoutStream(run);
    runs.replace(run);
    return topic;
  }

  String recreate(TrainedRun run) {
    runs.verifier(run);
    runs.replace(run);
    return run.name();
  }

  String forge(FaultKind kind, RunInfo run, Random random) {
    try (RecordForger forger = new RecordForger(kafka)) {
      switch (kind) {
        case OLD_PROPOSALS -> forger.repeatProposals(run, random);
        case RIVAL_PROPOSALS -> forger.leadLosingLineage(run);
        case CORRUPT_RECORDS -> forger.corrupt(run, random);
        default -> forger.repeatFeedback(run, random);
      }
    }
    return run.name();
  }

  /** The stranger's run may fail of it; it is deleted then. */
  String poison(Random random) {
    RunInfo stranger = runs.startStranger();
    try (Poison poison = new Poison(kafka, stranger)) {
      int records = poison.write(random);
      Waiting.pass(TAKEN_IN);
      return records + " records";
    } finally {
      runs.deleteStranger(stranger);
    }
  }
}
