package io.sluice.control.controller;

import io.sluice.control.wire.Snapshots;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.ReviseRun;
import io.sluice.schema.RewindRun;
import io.sluice.schema.RunCommand;
import io.sluice.schema.RunRevised;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStateChanged;
import java.util.List;

/** A hand that revises the run of a controller, and reads what its log says to that. */
record RevisedController(TestingController controller) {
  /** Asks for another specification. */
  void revise(String id, RunSpec to) {
    ReviseRun body = new ReviseRun(to, List.of(), "by hand", -1L, List.of());
    controller.command(new RunCommand(id, TestingRuns.RUN, 0L, body));
    controller.settle();
  }

  /** Asks for a rewind of the first timeline. */
  void rewind(String id, long batch, RunSpec to) {
    var snapshot = Snapshots.write(controller.log.past().rewound(batch, batch).snapshot());
    RewindRun body = new RewindRun(0, to, snapshot, batch, "loss spike");
    controller.command(new RunCommand(id, TestingRuns.RUN, 0L, body));
    controller.settle();
  }

  /** The first revision of the log. */
  RunRevised revision() {
    return controller.log.all().stream()
        .map(ControlRecord::getBody)
        .filter(RunRevised.class::isInstance)
        .map(RunRevised.class::cast)
        .findFirst()
        .orElseThrow();
  }

  /** Why commands were refused. */
  List<String> refusals() {
    return controller.log.all().stream()
        .filter(r -> r.getBody() instanceof RunStateChanged change && change.getRefused())
        .map(ControlRecord::getWhy)
        .toList();
  }
}
