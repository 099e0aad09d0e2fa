package io.sluice.cli.demo;

import io.sluice.cli.audit.AuditReport;
import io.sluice.cli.audit.Auditor;
import io.sluice.cli.history.RunHistory;
import io.sluice.cli.local.EmbeddedBroker;
import io.sluice.cli.local.EmbeddedFlink;
import io.sluice.cli.local.FlinkSettings;
import io.sluice.cli.run.InitialWeights;
import io.sluice.cli.run.RunCommands;
import io.sluice.cli.run.RunRequest;
import io.sluice.client.RunDirectory;
import io.sluice.client.RunInfo;
import io.sluice.djl.ReferenceTrainer;
import io.sluice.djl.TrainerSettings;
import io.sluice.jobs.mix.MixJob;
import io.sluice.jobs.prepare.DatasetSettings;
import io.sluice.jobs.prepare.DatasetSpecs;
import io.sluice.jobs.prepare.PrepareJob;
import io.sluice.jobs.topics.TopicAdmin;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunSpec;
import io.sluice.schema.Topics;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** The whole loop, from a folder of text to a trained model and an audited stream. */
final class Demo {
  private static final String RUN = "demo";
  private static final String DATASET = "demo";
  private static final Duration START = Duration.ofMinutes(2);
  private static final int EPOCHS = 1000;

  private final DemoSettings settings;
  private final Display display;
  private final Topics topics;

  Demo(DemoSettings settings, Display display, Topics topics) {
    this.settings = settings;
    this.display = display;
    this.topics = topics;
  }

  DemoReport run() throws InterruptedException {
    StateDirectory.empty(settings.stateDirectory());
    DemoCorpus corpus = DemoCorpus.of(settings);
    try (EmbeddedBroker broker =
            EmbeddedBroker.start(
                settings.stateDirectory().resolve("broker"), settings.port(), START);
        EmbeddedFlink flink = EmbeddedFlink.start(FlinkSettings.in(settings.stateDirectory()))) {
      KafkaAccess kafka = new KafkaAccess(broker.bootstrapServers(), topics, Map.of());
      display.say("broker on " + broker.bootstrapServers() + " and Flink are up");
      RunInfo run = start(kafka, flink, corpus);
      DemoObserver observer = train(kafka, run);
      display.say("audit");
      AuditReport audit = Auditor.audit(kafka, RUN);
      return new DemoReport(
          RunHistory.read(kafka, RUN),
          audit,
          settings.steps(),
          observer.tokens(),
          observer.seconds(),
          observer.losses());
    }
  }

  private RunInfo start(KafkaAccess kafka, EmbeddedFlink flink, DemoCorpus corpus) {
    DatasetSpec data = dataset(corpus.domains());
    RunSpec spec = request().resolve(data, Map.of());
    try (TopicAdmin admin = new TopicAdmin(kafka)) {
      admin.ensureService();
      admin.ensureDataset(data);
      admin.ensureRun(spec);
    }
    flink.submit("prepare-" + DATASET, env -> PrepareJob.build(env, kafka, data));
    flink.submit("mix", env -> MixJob.build(env, kafka));
    new RunCommands(kafka, InstantSource.system(), () -> UUID.randomUUID().toString().substring(0, 8))
        .apply(spec);
    display.say(corpus.ingest(kafka));
    RunInfo run = RunDirectory.find(kafka, RUN, START);
    display.say("run " + run.runId() + " has started with policy " + spec.getPolicy());
    return run;
  }

  private DemoObserver train(KafkaAccess kafka, RunInfo run) {
    List<String> domains = run.spec().getDomains();
    Progress progress = new Progress(run.runId(), domains, settings.steps());
    DemoObserver observer =
        new DemoObserver(
            progress, display, domains, () -> RunHistory.read(kafka, RUN), System::nanoTime);
    if (settings.replay().isPresent()) {
      new ReplayTrainer(kafka, RecordedLosses.read(settings.replay().get()), observer)
          .train(run, settings.steps());
    } else {
      TrainerSettings trainer =
          TrainerSettings.builder(settings.steps()).seed(settings.seed()).build();
      new ReferenceTrainer(kafka, trainer, observer).train(run);
    }
    return observer;
  }

  private DatasetSpec dataset(List<String> domains) {
    return DatasetSpecs.resolve(
        DatasetSettings.builder(DATASET)
            .domains(domains)
            .sequenceLength(settings.sequenceLength())
            .seed(settings.seed())
            .build());
  }

  private RunRequest request() {
    Map<String, String> policy =
        settings.policy().equals("velocitune")
            ? Map.of("target-fraction", Double.toString(settings.targetFraction()))
            : Map.of();
    return new RunRequest(
        RUN,
        DATASET,
        new TreeMap<>(Map.of(1L, settings.batchSize())),
        settings.steps(),
        settings.seed(),
        4,
        new InitialWeights.Uniform(),
        settings.policy(),
        policy,
        settings.hasRounds() ? settings.updateEvery() : 0,
        settings.lag(),
        "hold",
        Duration.ofMinutes(10),
        0,
        settings.newWeight(),
        EPOCHS,
        Map.of());
  }
}
