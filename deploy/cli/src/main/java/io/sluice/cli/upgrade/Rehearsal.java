package io.sluice.cli.upgrade;

import io.sluice.cli.upgrade.FlinkCluster.JobPlan;
import io.sluice.cli.upgrade.FlinkCluster.Slots;
import io.sluice.control.error.CheckFailedException;
import io.sluice.control.error.CommandException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What a start would meet, found out while the jobs still run: the job manager runs the jar's
 * program for its plan, and the cluster must have the slots that the plan takes.
 *
 * @param uploaded Flink's id of the jar
 * @param options of Flink's for the jobs to come
 * @param limit of each plan
 */
record Rehearsal(FlinkCluster flink, String uploaded, Map<String, String> options, Duration limit) {
  /**
   * Tries all of them, in their order.
   *
   * @throws CommandException saying that the job goes on
   */
  void of(List<PlannedMove> moves) {
    boolean fixed = flink.settings().hasFixedSlots();
    Slots slots = flink.slots();
    long free = slots.available();
    for (PlannedMove move : moves) {
      JobPlan plan = plan(move);
      if (fixed && plan.slots() > free + move.before()) {
        throw move.goesOn(
            new CheckFailedException(
                "%s needs %d slots of Flink, as many as its parallelism, and %d are there for it: %d that it holds and %d that are free, of %d in all; --parallelism must be at most %d, or further task managers must run"
                    .formatted(
                        move.job().named(),
                        plan.slots(),
                        free + move.before(),
                        move.before(),
                        free,
                        slots.total(),
                        free + move.before())));
      }
      free += move.before() - plan.slots();
    }
  }

  private JobPlan plan(PlannedMove move) {
    try {
      return flink.plan(move.start(uploaded, options), limit);
    } catch (CommandException e) {
      throw move.goesOn(e);
    }
  }
}
