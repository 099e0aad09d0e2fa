package io.sluice.cli.trainer;

import ai.djl.Device;
import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.client.error.FeedbackLostException;
import io.sluice.client.run.RunDirectory;
import io.sluice.client.run.RunInfo;
import io.sluice.control.error.BadInputException;
import io.sluice.control.error.CheckFailedException;
import io.sluice.control.error.UnreachableException;
import io.sluice.control.history.RunStatuses;
import io.sluice.djl.measure.AlignmentSettings;
import io.sluice.djl.model.DivergedException;
import io.sluice.djl.model.LearningRate;
import io.sluice.djl.model.LearningRate.Course;
import io.sluice.djl.model.TorchRuntime;
import io.sluice.djl.trainer.CheckpointSettings;
import io.sluice.djl.trainer.ReferenceTrainer;
import io.sluice.djl.trainer.TrainerSettings;
import io.sluice.djl.trainer.TrainingSummary;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.KafkaUnreachableException;
import io.sluice.schema.RunStatus;
import io.sluice.service.local.StopSignal;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice trainer}. */
@Command(
    name = "trainer",
    description =
        "Train a small GPT on a run's stream and report what the run's policy waits for. Ctrl-C"
            + " ends it between two steps.")
public final class TrainerCommand extends CliCommand {
  private static final Duration FIND = Duration.ofSeconds(2);
  private static final Duration END = Duration.ofSeconds(40);
  private static final int CHECKPOINTS_KEPT = 2;
  private static final int WARMUP = 20;
  private static final String WITH_DEFAULT = "Default: ${DEFAULT-VALUE}.";

  @Option(names = "--run", required = true, paramLabel = "NAME", description = "The run.")
  private String run = "";

  @Option(
      names = "--steps",
      paramLabel = "N",
      description = "The last step, counted from the run's first batch. Default: the run's last.")
  private @Nullable Long steps;

  @Option(
      names = "--layers",
      paramLabel = "N",
      description = "Layers of the model. " + WITH_DEFAULT)
  private int layers = 2;

  @Option(names = "--width", paramLabel = "N", description = "Features of a token. " + WITH_DEFAULT)
  private int width = 128;

  @Option(
      names = "--heads",
      paramLabel = "N",
      description = "Attention heads of a layer. " + WITH_DEFAULT)
  private int heads = 4;

  @Option(
      names = "--lr",
      paramLabel = "R",
      defaultValue = "3e-3",
      description = "AdamW's learning rate after 20 steps of warm-up. " + WITH_DEFAULT)
  private double learningRate = 3e-3;

  @Option(
      names = "--lr-course",
      paramLabel = "NAME",
      description =
          "How it goes on until the last step: constant, wsd (it stays, then falls linearly) or"
              + " cosine. "
              + WITH_DEFAULT)
  private String course = "constant";

  @Option(
      names = "--lr-decay",
      paramLabel = "N",
      description = "Last steps over which wsd falls. Default: a fifth of all.")
  private @Nullable Long decay;

  @Option(
      names = "--lr-last",
      paramLabel = "R",
      description = "The rate that wsd and cosine fall to. " + WITH_DEFAULT)
  private double lastRate = 0;

  @Option(
      names = "--base",
      paramLabel = "DIR",
      description =
          "A checkpoint of the same shape, or a directory of them, to begin with instead of drawn"
              + " parameters: continual pre-training, with a new optimizer and at the run's first"
              + " batch. Default: none.")
  private @Nullable Path base;

  @Option(
      names = "--reference",
      paramLabel = "DIR",
      description =
          "A checkpoint of the same shape whose losses the policy compares with, such as doremi's."
              + " Default: none.")
  private @Nullable Path reference;

  @Option(
      names = "--micro-batch",
      paramLabel = "N",
      description = "Sequences in memory at a time. " + WITH_DEFAULT)
  private int microBatch = 16;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of the initial parameters. " + WITH_DEFAULT)
  private long seed = 1;

  @Option(
      names = "--checkpoint-dir",
      paramLabel = "DIR",
      description = "Keep checkpoints in it, and resume from the newest one. Default: none.")
  private @Nullable Path checkpointDirectory;

  @Option(
      names = "--from",
      paramLabel = "DIR",
      description =
          "Checkpoints to begin from while --checkpoint-dir has none of this run: those of the run"
              + " that it was forked from. Default: none.")
  private @Nullable Path from;

  @Option(
      names = "--every-checkpoint",
      paramLabel = "N",
      description = "Steps between checkpoints. " + WITH_DEFAULT)
  private long everyCheckpoint = 100;

  @Option(
      names = "--eval-every",
      paramLabel = "N",
      description =
          "Steps between held-out losses beyond those the run waits for; 0 for none. "
              + WITH_DEFAULT)
  private long evalEvery = 0;

  @Option(
      names = "--target-domains",
      split = ",",
      paramLabel = "NAME",
      description = "Domains to align gradients with, where the run names no target.")
  private List<String> targetDomains = List.of();

  @Option(
      names = "--device",
      paramLabel = "NAME",
      description = "cpu, gpu0, gpu1, … " + WITH_DEFAULT)
  private String device = "cpu";

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Threads of one operation; 0 for PyTorch's own choice. " + WITH_DEFAULT)
  private int threads = 1;

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    PrintWriter out = out();
    // Bad options are named before any broker is asked.
    settings(steps == null ? Long.MAX_VALUE : steps);
    KafkaAccess access = access();
    RunInfo info = RunDirectory.find(access, run, FIND);
    TrainerSettings settings = settings(lastStep(info));
    ProgressLines lines =
        new ProgressLines(
            out, run, settings.steps(), System::nanoTime, () -> waiting(access, info.runId()));
    out.println("training on run " + info.runId() + ", policy " + info.spec().getPolicy());
    out.flush();
    // A training that is under way is interrupted by the trainer itself.
    try (StopSignal signal = StopSignal.install(END, lines::underWay)) {
      TrainingSummary summary = new ReferenceTrainer(access, settings, lines).train(info);
      json.write(summary);
      lines.end(summary);
      if (summary.end() == TrainingSummary.End.RUN_LOST) {
        throw new CheckFailedException(summary.detail());
      }
    } catch (DivergedException e) {
      throw new CheckFailedException(String.valueOf(e.getMessage()), e);
    } catch (FeedbackLostException e) {
      throw new UnreachableException(String.valueOf(e.getMessage()), e);
    }
  }

  /** What the service says that a run waits for; '' when it says nothing, or nobody answers. */
  private static String waiting(KafkaAccess access, String runId) {
    try {
      RunStatus status = RunStatuses.read(access).runs().get(runId);
      return status == null ? "" : status.getWaiting();
    } catch (KafkaUnreachableException e) {
      return "";
    }
  }

  private long lastStep(RunInfo info) {
    long last = steps == null ? info.spec().getBatches() : steps;
    if (last < 1) {
      throw new BadInputException(
          steps == null
              ? "--steps must be given: run " + info.runId() + " has no last batch"
              : "--steps must be at least 1: " + steps);
    }
    return last;
  }

  private TrainerSettings settings(long lastStep) {
    TrainerSettings.Builder builder =
        TrainerSettings.builder(lastStep)
            .model(layers, width, heads)
            .learningRate(learningRate(lastStep))
            .microBatch(microBatch)
            .seed(seed)
            .evalEvery(evalEvery)
            .alignment(AlignmentSettings.towards(targetDomains))
            .device(device())
            .threads(threads);
    if (checkpointDirectory != null) {
      builder.checkpoints(
          new CheckpointSettings(checkpointDirectory, everyCheckpoint, CHECKPOINTS_KEPT));
    }
    if (from != null) {
      builder.beginFrom(from);
    }
    if (base != null) {
      builder.base(base);
    }
    if (reference != null) {
      builder.reference(reference);
    }
    return builder.build();
  }

  private LearningRate learningRate(long lastStep) {
    try {
      Course named = Course.named(course);
      long falls = decay == null ? lastStep / 5 : decay;
      return named == Course.CONSTANT
          ? LearningRate.constant(learningRate, WARMUP)
          : new LearningRate(
              learningRate, WARMUP, named, lastStep, named == Course.WSD ? falls : 0, lastRate);
    } catch (IllegalArgumentException e) {
      throw new BadInputException("--lr, --lr-course: " + e.getMessage(), e);
    }
  }

  private Device device() {
    try {
      return TorchRuntime.device(device);
    } catch (IllegalArgumentException e) {
      throw new BadInputException("--" + e.getMessage(), e);
    } catch (IllegalStateException e) {
      throw new UnreachableException(String.valueOf(e.getMessage()), e);
    }
  }
}
