package io.sluice.lab.demo;

import io.sluice.client.run.RunDirectory;
import io.sluice.client.run.RunInfo;
import io.sluice.control.audit.AuditReport;
import io.sluice.control.audit.Auditor;
import io.sluice.control.error.BadInputException;
import io.sluice.control.error.UnreachableException;
import io.sluice.control.history.RunHistory;
import io.sluice.control.runs.NewRun;
import io.sluice.control.runs.RunAdmin;
import io.sluice.control.targets.DemoReportFile;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.control.wire.RunSpecs;
import io.sluice.djl.model.TorchRuntime;
import io.sluice.djl.trainer.ReferenceTrainer;
import io.sluice.djl.trainer.TrainerSettings;
import io.sluice.jobs.prepare.dataset.DatasetSettings;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.mixture.policy.Policies;
import io.sluice.mixture.policy.Policy;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunSpec;
import io.sluice.schema.Topics;
import io.sluice.service.local.LocalService;
import io.sluice.service.local.LocalSettings;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** The whole loop, from a folder of text to a trained model and an audited stream. */
record Demo(DemoSettings settings, Display display, Topics topics) {
  private static final String NAME = "demo";
  private static final Duration START = Duration.ofMinutes(2);
  private static final int SHUFFLE_BUFFER = 10_000;
  private static final double HELD_OUT = 0.1;
  private static final int EPOCHS = 1_000_000;

  /**
   * Runs the demo to its end.
   *
   * @throws io.sluice.control.error.CommandException if something it needs is missing or bad
   */
  DemoReport run() {
    StateDirectory.empty(settings.stateDirectory());
    DemoCorpus corpus = DemoCorpus.of(settings);
    DatasetSpec data = dataset(corpus.domains());
    RunSpec spec = specification(data);
    requireMeasurable(spec);
    requireModel();
    try (LocalService service =
        LocalService.start(
            LocalSettings.in(settings.stateDirectory().resolve("service"))
                .withPort(settings.port())
                .withTopics(topics),
            display::say)) {
      KafkaAccess kafka = service.access();
      RunInfo run = start(service, corpus, data, spec);
      DemoObserver observer = train(kafka, run);
      display.say("auditing the stream");
      AuditReport audit = Auditor.audit(kafka, NAME);
      return new DemoReport(
          RunHistory.read(kafka, NAME),
          audit,
          settings.steps(),
          observer.tokens(),
          observer.seconds(),
          observer.losses());
    }
  }

  /** Before anything is started. */
  private void requireMeasurable(RunSpec spec) {
    try {
      ReferenceTrainer.requireMeasurable(spec, trainer());
    } catch (IllegalArgumentException e) {
      throw new BadInputException("--" + e.getMessage(), e);
    }
  }

  /** An installation may lack what is of one kind of machine. */
  private void requireModel() {
    if (settings.replay().isPresent()) {
      return;
    }
    try {
      TorchRuntime.start(0);
    } catch (IllegalStateException e) {
      throw new UnreachableException(String.valueOf(e.getMessage()), e);
    }
  }

  private RunInfo start(LocalService service, DemoCorpus corpus, DatasetSpec data, RunSpec spec) {
    KafkaAccess kafka = service.access();
    try (TopicAdmin admin = new TopicAdmin(kafka)) {
      admin.ensureDataset(data);
      new DatasetCatalog(kafka).publish(data);
      service.prepare(data);
      RunAdmin.commands(kafka).apply(admin, spec, null);
    }
    display.say("ingested " + corpus.ingest(kafka));
    RunInfo run = RunDirectory.find(kafka, NAME, START);
    display.say("run " + run.runId() + " has started, policy " + spec.getPolicy());
    return run;
  }

  private DemoObserver train(KafkaAccess kafka, RunInfo run) {
    List<String> domains = run.spec().getDomains();
    Progress progress = new Progress(run.runId(), domains, settings.steps());
    try (FollowedWeights weights = new FollowedWeights(kafka, run.runId())) {
      DemoObserver observer =
          new DemoObserver(progress, display, domains, weights::of, System::nanoTime);
      if (settings.replay().isPresent()) {
        new ReplayTrainer(kafka, DemoReportFile.read("--replay", settings.replay().get()), observer)
            .train(run, settings.steps());
      } else {
        new ReferenceTrainer(kafka, trainer(), observer).train(run);
      }
      return observer;
    }
  }

  private TrainerSettings trainer() {
    return TrainerSettings.builder(settings.steps())
        .seed(settings.seed())
        .evalEvery(settings.updateEvery())
        .build();
  }

  private DatasetSpec dataset(List<String> domains) {
    return DatasetSpecs.resolve(
        new DatasetSettings(
            NAME,
            "bytes",
            settings.sequenceLength(),
            SHUFFLE_BUFFER,
            settings.seed(),
            HELD_OUT,
            domains,
            1));
  }

  private RunSpec specification(DatasetSpec data) {
    List<String> domains = data.getDomains();
    Map<String, String> policySettings = new DemoPolicy(settings, domains).settings();
    Policy policy = Policies.create(settings.policy(), policySettings, domains);
    return RunSpecs.complete(
        NewRun.of(NAME, data, settings.batchSize())
            .setBatches(settings.steps())
            .setSeed(settings.seed())
            .setPolicy(settings.policy())
            .setPolicySettings(policySettings)
            .setUpdateEvery(policy.hasRounds() ? settings.updateEvery() : 0)
            .setLag(settings.lag())
            .setSmoothing(Map.of("new-weight", Double.toString(settings.newWeight())))
            .setEpochs(Collections.nCopies(domains.size(), EPOCHS))
            .build());
  }
}
