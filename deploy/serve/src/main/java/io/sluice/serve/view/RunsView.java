package io.sluice.serve.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.client.run.ExposedTime;
import io.sluice.control.history.RunStatuses;
import io.sluice.schema.ExposedWait;
import io.sluice.schema.RunStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Where runs stand, as the API has it. */
public final class RunsView {
  private RunsView() {}

  /** All runs but those that are deleted, the newest first. */
  public static ArrayNode of(RunStatuses statuses) {
    List<RunStatus> newestFirst = new ArrayList<>();
    statuses.runs().values().stream()
        .filter(status -> !status.getPhase().equals("deleted"))
        .forEach(status -> newestFirst.add(0, status));
    ArrayNode runs = Json.array();
    newestFirst.forEach(
        status ->
            add(
                runs.addObject(),
                status,
                statuses.waits().getOrDefault(status.getRunId(), Map.of())));
    return runs;
  }

  /**
   * Adds where a run stands.
   *
   * @param emission by lane: why granted batches are not emitted
   */
  static void add(ObjectNode run, RunStatus status, Map<Integer, String> emission) {
    run.put("run", status.getRun());
    run.put("runId", status.getRunId());
    run.put("phase", status.getPhase());
    run.put("waiting", RunStatuses.waiting(status.getWaiting(), emission));
    run.put("waitingSinceMillis", status.getWaitingSinceMillis());
    run.put("timeline", status.getTimeline());
    run.put("granted", status.getGranted());
    run.put("progress", status.getProgress());
    run.put("lead", status.getGranted() - Math.max(0, status.getProgress()));
    run.put("weightsVersion", status.getWeightsVersion());
    run.put("trainers", status.getTrainers().size());
    status.getExposed().stream()
        .map(ExposedTime::of)
        .filter(exposed -> exposed.stepNanos() > 0)
        .map(ExposedTime::share)
        .max(Comparator.naturalOrder())
        .ifPresentOrElse(
            share -> run.put("exposedShare", share), () -> run.putNull("exposedShare"));
    run.put("otherWriter", status.getOtherWriter());
    run.put("refusedFeedback", status.getRefusedFeedback());
    run.put("timeMillis", status.getTimeMillis());
  }

  /** A line for each rank that has attached, when it was heard, and what it waited for. */
  static void addRanks(ArrayNode ranks, RunStatus status) {
    List<Long> heard = status.getHeardMillis();
    List<ExposedWait> exposed = status.getExposed();
    for (int i = 0; i < status.getTrainers().size(); i++) {
      ObjectNode rank = ranks.addObject();
      rank.put("text", status.getTrainers().get(i));
      rank.put("heardMillis", i < heard.size() ? heard.get(i) : 0);
      ExposedTime waited = i < exposed.size() ? ExposedTime.of(exposed.get(i)) : ExposedTime.NONE;
      if (waited.stepNanos() == 0) {
        rank.putNull("exposed");
        continue;
      }
      ObjectNode shares = rank.putObject("exposed");
      shares.put("stepMillis", waited.stepNanos() / 1_000_000);
      shares.put("share", waited.share());
      ObjectNode byCause = shares.putObject("byCause");
      waited.shares().forEach(byCause::put);
    }
  }
}
