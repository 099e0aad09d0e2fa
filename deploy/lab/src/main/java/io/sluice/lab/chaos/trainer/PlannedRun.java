package io.sluice.lab.chaos.trainer;

import io.sluice.lab.python.PythonClient;
import io.sluice.schema.run.Delivery;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A run that is to be trained on.
 *
 * @param delivery of its sequences, one of {@link Delivery}
 * @param program of its trainer
 */
public record PlannedRun(String name, Reweighting policy, String delivery, TrainerProgram program) {
  /** The run with a stream that has batches for many seconds granted ahead. */
  public static final String AHEAD = "steady";

  /** Each policy with a stream and without, and one with a stream that is trained on in Python. */
  public static List<PlannedRun> all(Optional<PythonClient> python) {
    List<PlannedRun> all = new ArrayList<>();
    for (String delivery : Delivery.ALL) {
      String own = delivery.equals(Delivery.TOKENS) ? "" : "-" + delivery;
      all.add(new PlannedRun(AHEAD + own, Reweighting.STATIC, delivery, TrainerProgram.JAVA));
      all.add(
          new PlannedRun("moving" + own, Reweighting.EVERY_STEP, delivery, TrainerProgram.JAVA));
    }
    TrainerProgram.python(python)
        .map(own -> new PlannedRun("snake", Reweighting.EVERY_STEP, Delivery.TOKENS, own))
        .ifPresent(all::add);
    return all;
  }
}
