package io.sluice.cli.trainer;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.TestingSluice;
import io.sluice.cli.loop.Testbed;
import io.sluice.cli.loop.TestingService;
import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.GlobalOptions;
import io.sluice.client.run.RunInfo;
import io.sluice.control.history.RunHistory;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.djl.trainer.CheckpointSettings;
import io.sluice.djl.trainer.ReferenceTrainer;
import io.sluice.djl.trainer.StepReport;
import io.sluice.djl.trainer.TrainerSettings;
import io.sluice.djl.trainer.TrainingObserver;
import io.sluice.djl.trainer.TrainingSummary;
import io.sluice.mixture.log.RunPhase;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.RunSpec;
import io.sluice.schema.run.Delivery;
import io.sluice.service.Patience;
import io.sluice.service.seal.SealThread;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The reference trainer on a run of a real service. */
class TrainerIT {
  private static final int STEPS = 12;

  @TempDir private static Path directory;

  private static TestingService service;
  private static SealThread sealing;

  private final List<StepReport> reports = new ArrayList<>();

  @BeforeAll
  static void start() {
    DatasetSpec data = Testbed.dataset(1, directory.resolve("store"));
    service = new TestingService(directory.resolve("service"), data);
    new DatasetCatalog(service.kafka).publish(data);
    sealing = SealThread.start(service.kafka, "c", event -> {});
    sealing.apply(data);
    service.ingest("large", 400, true);
    service.ingest("medium", 300, true);
    service.ingest("small", 100, true);
  }

  @AfterAll
  static void stop() {
    sealing.close();
    service.close();
  }

  @AfterEach
  void clearInterrupt() {
    Thread.interrupted();
  }

  /** Batches 11 and 12 are granted only once the losses of step 10 have arrived. */
  @Test
  void resumesWhereItWasInterruptedAndClosesTheLoopWithAStreamAndWithout() {
    List<String> losses =
        List.of(
            resumesAndClosesTheLoop(Delivery.TOKENS), resumesAndClosesTheLoop(Delivery.DERIVED));
    assertThat(losses.get(1)).isEqualTo(losses.get(0));
  }

  /** The loss at the end. */
  private String resumesAndClosesTheLoop(String delivery) {
    String name = "resumed-" + delivery;
    RunSpec spec = service.velocitune(name, STEPS);
    RunInfo run = service.start(RunSpec.newBuilder(spec).setDelivery(delivery).build());
    Path uninterrupted = directory.resolve("uninterrupted-" + delivery);
    String whole = sluiceTrainer("--run", name, "--checkpoint-dir", uninterrupted.toString());
    assertThat(whole)
        .contains("training on run " + run.runId() + ", policy velocitune")
        .contains("step 0: eval_loss large ", "step 10: eval_loss large ")
        .contains("step 12 of 12: loss ")
        .contains("done: trained steps 1 to 12, loss ");
    assertThat(RunHistory.read(service.kafka, name).rounds()).hasSize(1);

    Path interrupted = directory.resolve("interrupted-" + delivery);
    assertThat(interruptAfter(5, run, interrupted).end())
        .isEqualTo(TrainingSummary.End.INTERRUPTED);
    assertThat(Thread.interrupted()).isTrue();
    String resumed = sluiceTrainer("--run", name, "--checkpoint-dir", interrupted.toString());
    assertThat(resumed).contains("done: trained steps 5 to 12, loss " + lastLoss(whole));
    return lastLoss(whole);
  }

  @Test
  void measuresWhatThePolicyWaitsFor() {
    service.start(request("aligned", "dga"));
    assertThat(sluiceTrainer("--run", "aligned", "--target-domains", "medium,small"))
        .contains("step 4: alignment large ", "step 8: gradient_norm large ", "steps 1 to 9");
    assertThat(RunHistory.read(service.kafka, "aligned").rounds()).hasSize(2);

    service.start(request("bandit", "odm"));
    assertThat(sluiceTrainer("--run", "bandit", "--eval-every", "3"))
        .contains("step 4: train_loss large ", "step 6: eval_loss large ", "steps 1 to 9");
    assertThat(RunHistory.read(service.kafka, "bandit").rounds()).hasSize(2);
  }

  @Test
  void namesWhatIsWrong() {
    service.start(service.velocitune("endless", 0));
    StringWriter err = new StringWriter();
    CommandLine command = command(new StringWriter()).setErr(new PrintWriter(err, true));
    command.setExecutionExceptionHandler(
        (e, failed, parsed) -> {
          failed.getErr().println(e.getMessage());
          return 2;
        });
    assertThat(command.execute(options("--run", "endless"))).isEqualTo(2);
    assertThat(err.toString()).contains("--steps must be given: run endless.");
    assertThat(command.execute(options("--run", "endless", "--device", "tpu"))).isEqualTo(2);
    assertThat(err.toString()).contains("--device must be cpu, gpu0, gpu1, …: 'tpu'");
    assertThat(command.execute("--run", "endless", "--layers", "0", "--steps", "1")).isEqualTo(2);
    assertThat(err.toString()).contains("layers must be in [1, 256]: 0");
    service.start(request("aimless", "dga"));
    assertThat(command.execute(options("--run", "aimless"))).isEqualTo(2);
    assertThat(err.toString())
        .contains("target domains must be at least one of [large, medium, small]");
  }

  @Test
  void endsBadlyOnlyWhenItsRunFailedOrWasDeleted() {
    TestingSluice sluice = new TestingSluice(service.kafka, directory.resolve("home"));
    for (String state : List.of("stopped", "failed", "deleted")) {
      RunInfo run = service.start(service.velocitune(state, STEPS));
      service.commands().change(run.runId(), state, "a test");
      Patience.await(
          Patience.MINUTE,
          () -> RunHistory.read(service.kafka, state).state().phase(),
          RunPhase::ended);
      List<String> command = new ArrayList<>(List.of("trainer", "--run", state));
      command.addAll(List.of(options()));
      TestingSluice.Said said = sluice.run(command.toArray(String[]::new));
      boolean inOrder = state.equals("stopped");
      assertThat(said.exit()).as(said.toString()).isEqualTo(inOrder ? 0 : 1);
      assertThat(inOrder ? said.out() : said.err())
          .contains("run " + run.runId() + " is " + state + " (a test): batch ");
    }
  }

  /** Nine batches, in rounds of four. */
  private static RunSpec request(String run, String policy) {
    return service.deciding(run, 9, policy, Map.of(), 4);
  }

  private TrainingSummary interruptAfter(long step, RunInfo run, Path checkpoints) {
    TrainerSettings settings =
        TrainerSettings.builder(STEPS)
            .model(1, 16, 2)
            .checkpoints(new CheckpointSettings(checkpoints, 2, 2))
            .build();
    TrainingObserver observer =
        new TrainingObserver() {
          @Override
          public void onStep(StepReport report) {
            reports.add(report);
            if (report.step() == step) {
              Thread.currentThread().interrupt();
            }
          }
        };
    return new ReferenceTrainer(service.kafka, settings, observer).train(run);
  }

  private static String sluiceTrainer(String... more) {
    StringWriter out = new StringWriter();
    assertThat(command(out).execute(options(more))).isZero();
    return out.toString();
  }

  private static CommandLine command(StringWriter out) {
    GlobalOptions global =
        new GlobalOptions(
            Map.of("SLUICE_KAFKA", service.kafka.bootstrapServers()), directory.resolve("home"));
    return new CommandLine(new TrainerCommand())
        .addMixin(CliCommand.GLOBAL, global)
        .setOut(new PrintWriter(out, true));
  }

  private static String[] options(String... more) {
    List<String> all = new ArrayList<>(List.of("--layers", "1", "--width", "16", "--heads", "2"));
    all.addAll(List.of("--every-checkpoint", "2"));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  private static String lastLoss(String output) {
    String marker = "done: trained steps 1 to 12, loss ";
    int from = output.indexOf(marker) + marker.length();
    return output.substring(from, output.indexOf(',', from)) + ",";
  }
}
