package io.sluice.serve.metrics;

import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.sluice.client.run.ExposedTime;
import io.sluice.control.history.RunStatuses;
import io.sluice.schema.Ledger;
import io.sluice.schema.RunStatus;
import io.sluice.schema.Supply;
import io.sluice.serve.course.Columns;
import io.sluice.serve.follow.LiveRun;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What runs that go on do, for Prometheus, by run and domain. Domains beyond the {@value #MOST} of
 * greatest weight are together in one series, so that a run has a bounded number of them.
 *
 * @param away why Kafka is not read at the moment; '' while it is
 * @param live runs that go on, by id
 * @param supply of their datasets by name, by domain
 * @param nowMillis the clock
 */
public record Metrics(
    String away,
    RunStatuses statuses,
    Map<String, LiveRun> live,
    Map<String, Map<String, Supply>> supply,
    long nowMillis) {
  /** Most domains of a run that have series of their own. */
  public static final int MOST = 100;

  /** The domain of the series that all others share. */
  public static final String OTHERS = "(others)";

  private static final Set<String> PHASES =
      new TreeSet<>(Set.of("running", "paused", "stopped", "completed", "failed"));

  /** The text that is scraped. */
  public byte[] text() {
    Gauges gauges = new Gauges();
    gauges.add(
        "sluice_kafka_answers",
        "Whether Kafka answers whoever reads for these metrics.",
        away.isEmpty() ? 1 : 0);
    statuses.runs().values().stream()
        .filter(status -> !ended(status) || status.getPhase().equals("failed"))
        .sorted(Comparator.comparing(RunStatus::getRunId))
        .forEach(status -> addRun(gauges, status));
    new TreeMap<>(live).forEach((runId, run) -> addMixture(gauges, runId, run.mixture()));
    new TreeMap<>(supply).forEach((name, domains) -> addSupply(gauges, name, domains));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      PrometheusTextFormatWriter.create().write(out, gauges.snapshots());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private static boolean ended(RunStatus status) {
    return !Set.of("running", "paused", "starting").contains(status.getPhase());
  }

  private void addRun(Gauges gauges, RunStatus status) {
    String[] run = {"run", status.getRun(), "run_id", status.getRunId()};
    for (String phase : PHASES) {
      gauges.add(
          "sluice_run_phase",
          "1 for the phase that a run is in.",
          phase.equals(status.getPhase()) ? 1 : 0,
          with(run, "phase", phase));
    }
    gauges.add("sluice_run_granted_batch", "Last batch that is granted.", status.getGranted(), run);
    gauges.add(
        "sluice_run_progress_batch",
        "Last batch that a trainer reported.",
        Math.max(0, status.getProgress()),
        run);
    gauges.add(
        "sluice_run_lead_batches",
        "Batches that are granted ahead of the trainers.",
        status.getGranted() - Math.max(0, status.getProgress()),
        run);
    gauges.add("sluice_run_timeline", "Timeline; a rewind opens one.", status.getTimeline(), run);
    gauges.add(
        "sluice_run_weights_version", "Version of the weights.", status.getWeightsVersion(), run);
    addWaits(gauges, status, run);
    gauges.add(
        "sluice_run_feedback_refused",
        "Reports of trainers that were refused.",
        status.getRefusedFeedback(),
        run);
    gauges.add(
        "sluice_run_feedback_repeated",
        "Reports of what was decided or reported already.",
        status.getRepeatedFeedback(),
        run);
    gauges.add(
        "sluice_run_control_ignored",
        "Control records that did not apply.",
        status.getIgnoredControl(),
        run);
    gauges.add(
        "sluice_run_other_writer",
        "1 while another MixJob writes this run's log.",
        status.getOtherWriter().isEmpty() ? 0 : 1,
        run);
    gauges.add(
        "sluice_run_status_age_seconds",
        "Time since MixJob last said where the run is.",
        (nowMillis - status.getTimeMillis()) / 1e3,
        run);
    if (status.getOldestCheckpoint() >= 0) {
      gauges.add(
          "sluice_run_oldest_checkpoint_batch",
          "Batch of the oldest checkpoint that a trainer keeps.",
          status.getOldestCheckpoint(),
          run);
    }
    addTrainers(gauges, status, run);
  }

  private void addWaits(Gauges gauges, RunStatus status, String[] run) {
    boolean waits = !status.getWaiting().isEmpty() && !ended(status);
    boolean supply = status.getWaiting().startsWith("supply: ");
    double since = (nowMillis - status.getWaitingSinceMillis()) / 1e3;
    String name = "sluice_run_waiting_seconds";
    String help = "How long the next grant has waited; 0 while it does not.";
    gauges.add(name, help, waits && supply ? since : 0, with(run, "reason", "supply"));
    gauges.add(name, help, waits && !supply ? since : 0, with(run, "reason", "other"));
    gauges.add(
        "sluice_run_emission_waits",
        "Lanes of which granted batches are not emitted.",
        statuses.waits().getOrDefault(status.getRunId(), Map.of()).size(),
        run);
  }

  private static void addTrainers(Gauges gauges, RunStatus status, String[] run) {
    gauges.add(
        "sluice_run_trainers", "Ranks that have attached.", status.getTrainers().size(), run);
    Map<String, Double> byCause = new TreeMap<>();
    status.getExposed().stream()
        .map(ExposedTime::of)
        .filter(exposed -> exposed.stepNanos() > 0)
        .forEach(
            exposed ->
                exposed.shares().forEach((cause, share) -> byCause.merge(cause, share, Math::max)));
    byCause.forEach(
        (cause, share) ->
            gauges.add(
                "sluice_run_exposed_wait_ratio",
                "Greatest part of its steps that a rank waited for data, by cause.",
                share,
                with(run, "cause", cause)));
  }

  private void addMixture(Gauges gauges, String runId, LiveRun.Mixture mixture) {
    int own = mixture.domains().size() > MOST ? MOST - 1 : MOST;
    Columns columns = Columns.greatest(mixture.decided().shares(), own);
    for (int place : columns.shown()) {
      addDomains(gauges, runId, mixture, mixture.domains().get(place), new int[] {place});
    }
    if (columns.others().length > 0) {
      addDomains(gauges, runId, mixture, OTHERS, columns.others());
    }
  }

  private void addDomains(
      Gauges gauges, String runId, LiveRun.Mixture mixture, String domain, int[] places) {
    String[] labels = {"run", mixture.run(), "run_id", runId, "domain", domain};
    double decided = 0;
    double effective = 0;
    long sequences = 0;
    long left = 0;
    boolean known = true;
    for (int place : places) {
      decided += mixture.decided().share(place);
      effective += mixture.effective().share(place);
      sequences += mixture.sequences()[place];
      Supply prepared =
          supply.getOrDefault(mixture.dataset(), Map.of()).get(mixture.domains().get(place));
      known &= prepared != null;
      left += prepared == null ? 0 : Math.max(0, prepared.getBlocks() - mixture.sequences()[place]);
    }
    gauges.add("sluice_domain_weight", "Weight that was decided.", decided, labels);
    gauges.add(
        "sluice_domain_effective_weight",
        "Weight that is mixed while some domains have nothing left.",
        effective,
        labels);
    gauges.add(
        "sluice_domain_realised_share",
        "Share of all sequences that were granted.",
        (double) sequences / Math.max(1, mixture.total()),
        labels);
    gauges.add("sluice_domain_sequences", "Sequences that were granted.", sequences, labels);
    if (known) {
      gauges.add(
          "sluice_domain_left_sequences",
          "Sequences that are prepared and not granted yet.",
          left,
          labels);
    }
  }

  private static void addSupply(Gauges gauges, String dataset, Map<String, Supply> domains) {
    new TreeMap<>(domains)
        .forEach(
            (domain, each) -> {
              if (domains.size() > MOST) {
                return;
              }
              String[] labels = {"dataset", dataset, "domain", domain};
              gauges.add(
                  "sluice_prepared_documents",
                  "Documents that were prepared, those that are held out included.",
                  each.getDocuments(),
                  labels);
              gauges.add(
                  "sluice_prepared_sequences", "Sequences to train on.", each.getBlocks(), labels);
              Ledger ledger = each.getLedger();
              gauges.add(
                  "sluice_prepared_dead_letters",
                  "Records that were no usable document.",
                  ledger == null ? 0 : ledger.getDocuments().getDeadLetters(),
                  labels);
            });
  }

  private static String[] with(String[] labels, String name, String value) {
    String[] all = Arrays.copyOf(labels, labels.length + 2);
    all[labels.length] = name;
    all[labels.length + 1] = value;
    return all;
  }
}
