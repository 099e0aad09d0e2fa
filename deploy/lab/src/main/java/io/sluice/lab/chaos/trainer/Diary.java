package io.sluice.lab.chaos.trainer;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.client.block.Sequence;
import io.sluice.client.stream.GlobalBatch;
import io.sluice.lab.chaos.history.Digest;
import io.sluice.lab.chaos.history.History;
import io.sluice.lab.chaos.history.Outcome;
import java.util.function.Consumer;

/** What a trainer of one rank tells the history of its run. */
record Diary(History history, String runId) {
  /** It goes on after the batch. */
  void begins(long batch) {
    add(Outcome.OK, "begin", line -> line.put("batch", batch));
  }

  /** It asks for a batch. */
  void awaits(long batch) {
    add(Outcome.INVOKE, "take", line -> line.put("batch", batch));
  }

  /** It has taken a batch. */
  void took(GlobalBatch batch) {
    add(
        Outcome.OK,
        "take",
        line -> {
          line.put("timeline", batch.timeline()).put("batch", batch.batch());
          line.put("version", batch.weightsVersion());
          line.put("first", batch.firstIndex()).put("size", batch.size());
          ArrayNode rows = line.putArray("rows");
          for (Sequence sequence : batch.sequences()) {
            String digest = Digest.of(sequence.encodedBlock());
            rows.addArray().add(sequence.index()).add(sequence.domain()).add(digest);
          }
        });
  }

  /** It sends a report of a step. */
  void reports(GlobalBatch step, String metric, String attempt) {
    add(
        Outcome.INVOKE,
        "report",
        line -> {
          line.put("timeline", step.timeline()).put("step", step.batch());
          line.put("metric", metric).put("attempt", attempt);
        });
  }

  /** It says that it has trained on a batch. */
  void progresses(long batch) {
    add(Outcome.INVOKE, "progress", line -> line.put("batch", batch));
  }

  /**
   * What it said up to the batch is acknowledged: the batch is a checkpoint, and the last is none.
   */
  void saves(int timeline, long batch, long last) {
    add(Outcome.OK, "flush", line -> line.put("batch", batch));
    add(Outcome.OK, "checkpoint", line -> line.put("timeline", timeline).put("batch", batch));
    if (last > 0) {
      add(Outcome.OK, "drop", line -> line.put("batch", last));
    }
  }

  private void add(Outcome outcome, String operation, Consumer<ObjectNode> values) {
    history.add(
        outcome,
        operation,
        line -> {
          line.put("run", runId).put("rank", 0).put("worldSize", 1);
          values.accept(line);
        });
  }
}
