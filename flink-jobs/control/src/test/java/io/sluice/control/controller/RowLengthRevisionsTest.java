package io.sluice.control.controller;

import static io.sluice.control.controller.TestingRuns.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.wire.Snapshots;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.ReviseRun;
import io.sluice.schema.RewindRun;
import io.sluice.schema.RowLength;
import io.sluice.schema.RunCommand;
import io.sluice.schema.RunRevised;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStateChanged;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The lengths of a run's rows may change from a batch on that is not granted. */
final class RowLengthRevisionsTest {
  private static final int LEAD = 8;

  private final TestingController controller =
      TestingController.started(rows(new RowLength(3L, 32)));

  @Test
  void rowsChangeFromABatchOnThatIsNotGranted() {
    assertThat(controller.status().getGranted()).isEqualTo(LEAD);
    RunSpec wanted = rows(new RowLength(3L, 32), new RowLength(9L, 64));
    revise("c1", wanted);
    assertThat(refusals()).isEmpty();
    assertThat(revision().getSpec().getRowLengths()).isEqualTo(wanted.getRowLengths());
  }

  @Test
  void rowsOfGrantedBatchesStay() {
    revise("c1", rows());
    revise("c2", rows(new RowLength(3L, 64)));
    revise("c3", rows(new RowLength(3L, 32), new RowLength(8L, 64)));
    assertThat(refusals())
        .containsExactly(
            "refused: sequence-length must stay {3=32} up to batch 8: {}",
            "refused: sequence-length must stay {3=32} up to batch 8: {3=64}",
            "refused: sequence-length must stay {3=32} up to batch 8: {3=32, 8=64}");
  }

  @Test
  void rowsThatAreNoPartsOfSequencesAreRefused() {
    revise("c1", rows(new RowLength(3L, 32), new RowLength(20L, 48)));
    revise("c2", rows(new RowLength(3L, 32), new RowLength(20L, 0)));
    revise("c3", rows(new RowLength(3L, 32), new RowLength(20L, 256)));
    revise("c4", rows(new RowLength(3L, 32), new RowLength(3L, 64)));
    assertThat(refusals())
        .containsExactly(
            "refused: sequence-length must be in [1, 128] tokens and divide the dataset's 128: 48",
            "refused: sequence-length must be in [1, 128] tokens and divide the dataset's 128: 0",
            "refused: sequence-length must be in [1, 128] tokens and divide the dataset's 128: 256",
            "refused: sequence-length must begin after batch 3, where the length before begins:"
                + " batch 3");
  }

  @Test
  void aRewindToBeforeAStageMayLeaveItOutAndOneBehindItMayNot() {
    rewind("c1", 5, rows());
    assertThat(refusals())
        .containsExactly("refused: sequence-length must stay {3=32} up to batch 5: {}");
    rewind("c2", 2, rows(new RowLength(7L, 64)));
    assertThat(refusals()).hasSize(1);
    assertThat(controller.status().getTimeline()).isEqualTo(1);
    assertThat(revision().getSpec().getRowLengths()).containsExactly(new RowLength(7L, 64));
  }

  private static RunSpec rows(RowLength... lengths) {
    return spec()
        .setPolicy("static")
        .setPolicySettings(Map.of())
        .setUpdateEvery(0)
        .setLead(LEAD)
        .setRowLengths(List.of(lengths))
        .build();
  }

  private void revise(String id, RunSpec to) {
    ReviseRun body = new ReviseRun(to, List.of(), "by hand", -1L);
    controller.command(new RunCommand(id, TestingRuns.RUN, 0L, body));
    controller.settle();
  }

  private void rewind(String id, long batch, RunSpec to) {
    var snapshot = Snapshots.write(controller.log.past().rewound(batch, batch).snapshot());
    RewindRun body = new RewindRun(0, to, snapshot, batch, "loss spike");
    controller.command(new RunCommand(id, TestingRuns.RUN, 0L, body));
    controller.settle();
  }

  private RunRevised revision() {
    return controller.log.all().stream()
        .map(ControlRecord::getBody)
        .filter(RunRevised.class::isInstance)
        .map(RunRevised.class::cast)
        .findFirst()
        .orElseThrow();
  }

  private List<String> refusals() {
    return controller.log.all().stream()
        .filter(r -> r.getBody() instanceof RunStateChanged change && change.getRefused())
        .map(ControlRecord::getWhy)
        .toList();
  }
}
