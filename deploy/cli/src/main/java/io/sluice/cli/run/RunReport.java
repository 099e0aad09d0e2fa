package io.sluice.cli.run;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.client.run.ExposedTime;
import io.sluice.control.history.RunFold;
import io.sluice.control.runs.RowStages;
import io.sluice.control.runs.RunCatalog;
import io.sluice.mixture.log.Lineage;
import io.sluice.mixture.log.RunState;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.DocumentMask;
import io.sluice.schema.RunStatus;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A run as a program reads it. */
final class RunReport {
  private RunReport() {}

  /** Where the run stands and what it waits for; its weights and timelines if its log was read. */
  static ObjectNode of(RunCatalog.Entry entry) {
    ObjectNode report = new ObjectMapper().createObjectNode();
    report.put("run", entry.name());
    report.put("runId", entry.runId());
    report.put("phase", entry.phase());
    entry.status().ifPresent(status -> add(report, status));
    ObjectNode emission = report.putObject("emissionWaits");
    entry.emission().forEach((lane, reason) -> emission.put("" + lane, reason));
    entry.fold().ifPresent(fold -> add(report, fold));
    return report;
  }

  /**
   * The same with the age of the data that the trainers are at.
   *
   * @param sealing why blocks of its dataset are not put into the store that it reads
   */
  static ObjectNode of(
      RunCatalog.Entry entry, Optional<TrainedData> trained, Optional<String> sealing) {
    ObjectNode report = of(entry);
    sealing.ifPresent(why -> report.put("sealingWaits", why));
    trained.ifPresent(
        data ->
            report
                .putObject("age")
                .put("batch", data.batch())
                .put("meanMillis", data.age().mean().toMillis())
                .put("maxMillis", data.age().max().toMillis()));
    return report;
  }

  private static void add(ObjectNode report, RunStatus status) {
    report.put("timeline", status.getTimeline());
    report.put("granted", status.getGranted());
    report.put("weightsVersion", status.getWeightsVersion());
    report.put("waiting", status.getWaiting());
    report.put("waitingSinceMillis", status.getWaitingSinceMillis());
    report.put("progress", status.getProgress());
    report.put("refusedFeedback", status.getRefusedFeedback());
    report.put("lastRefusal", status.getLastRefusal());
    report.put("repeatedFeedback", status.getRepeatedFeedback());
    report.put("lastRepeated", status.getLastRepeated());
    report.put("ignoredControl", status.getIgnoredControl());
    report.put("otherWriter", status.getOtherWriter());
    report.put("oldestCheckpoint", status.getOldestCheckpoint());
    status.getTrainers().forEach(report.putArray("trainers")::add);
    status.getHeardMillis().forEach(report.putArray("trainersHeardMillis")::add);
    ArrayNode exposed = report.putArray("trainersExposedWait");
    status.getExposed().forEach(each -> add(exposed.addObject(), ExposedTime.of(each)));
  }

  private static void add(ObjectNode report, ExposedTime exposed) {
    report.put("stepMillis", TimeUnit.NANOSECONDS.toMillis(exposed.stepNanos()));
    report.put("share", exposed.share());
    ObjectNode byCause = report.putObject("byCause");
    exposed.shares().forEach(byCause::put);
  }

  private static void add(ObjectNode report, RunFold fold) {
    RunState state = fold.state();
    report.put("timeline", state.position().timeline());
    report.put("granted", state.position().granted());
    report.put("weightsVersion", state.weightsVersion());
    report.put("pinned", state.pinned());
    report.put("policy", fold.spec().getPolicy());
    report.put("delivery", fold.spec().getDelivery());
    report.put("priority", fold.spec().getPriority());
    report.put("tokensPerSecond", fold.spec().getTokensPerSecond());
    report.put("streamBytes", fold.spec().getStreamBytes());
    fold.origin()
        .ifPresent(
            origin ->
                report
                    .putObject("forkedFrom")
                    .put("runId", origin.getRunId())
                    .put("batch", origin.getBatch()));
    ArrayNode timelines = report.putArray("timelines");
    for (Lineage.Opening opening : state.lineage().openings()) {
      timelines
          .addObject()
          .put("timeline", opening.timeline())
          .put("fromBatch", Math.max(0, opening.after()) + 1);
    }
    ArrayNode rows = report.putArray("rows");
    for (RowStages.Stage stage : RowStages.of(fold.spec()).stages()) {
      rows.addObject()
          .put("fromBatch", stage.fromBatch())
          .put("sequenceLength", stage.labels())
          .put("rows", stage.rows());
    }
    ArrayNode masks = report.putArray("masks");
    for (DocumentMask mask : fold.spec().getMasks()) {
      masks
          .addObject()
          .put("fromBatch", mask.getFromBatch())
          .put("documents", mask.getDocuments())
          .put("why", mask.getWhy())
          .put("set", mask.getSet());
    }
    ObjectNode weights = report.putObject("weights");
    ObjectNode effectiveWeights = report.putObject("effectiveWeights");
    Weights effective = state.effective();
    for (int i = 0; i < fold.spec().getDomains().size(); i++) {
      String domain = fold.spec().getDomains().get(i);
      weights.put(domain, state.decided().share(i));
      effectiveWeights.put(domain, effective.share(i));
    }
  }
}
