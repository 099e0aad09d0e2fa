package io.sluice.cli.sweep;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.cli.sweep.ArmTrainer.Training;
import io.sluice.control.config.ConfigSection;
import io.sluice.control.error.CheckFailedException;
import io.sluice.control.history.RunHistory;
import io.sluice.control.history.RunLogs;
import io.sluice.control.runs.RunApplication;
import io.sluice.control.runs.RunCatalog;
import io.sluice.control.runs.RunFile;
import io.sluice.control.runs.RunFork;
import io.sluice.control.targets.LossHistory;
import io.sluice.control.targets.RunLosses;
import io.sluice.control.topics.TokenizerFiles;
import io.sluice.schema.RunSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** Applies the runs of a sweep, has them trained, and reads what came of them. */
final class SweepRunner implements AutoCloseable {
  static final String WARM = "warm";

  private static final int LAST_LINES = 3;

  private final Sweep sweep;
  private final RunApplication application;
  private final List<String> global;
  private final Path directory;
  private final Duration patience;
  private final Set<Process> training = ConcurrentHashMap.newKeySet();
  private final Thread hook = new Thread(this::end, "sweep-end");

  /**
   * A runner of one sweep.
   *
   * @param global options by which a trainer reaches the service
   * @param directory of checkpoints and of what trainers say
   * @param patience how long a run may take to start
   */
  SweepRunner(
      Sweep sweep,
      RunApplication application,
      List<String> global,
      Path directory,
      Duration patience) {
    this.sweep = sweep;
    this.application = application;
    this.global = List.copyOf(global);
    this.directory = directory;
    this.patience = patience;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Ends what is being trained, which goes on from its checkpoint another time. */
  @Override
  public void close() {
    end();
    Runtime.getRuntime().removeShutdownHook(hook);
  }

  private void end() {
    training.forEach(Process::destroy);
  }

  /**
   * Names all that a run's outcome depends on: its file, how it is trained, what it begins with.
   */
  String asked(SweepArm arm, int seed) {
    String all =
        String.join(
            "\n",
            written(arm, seed).written().toString(),
            new TreeMap<>(sweep.trainer().options()).toString(),
            sweep.trainer().command().toString(),
            sweep.warm() > 0 ? sweep.warm() + " of " + sweep.run().written() : "");
    return TokenizerFiles.sha256(all.getBytes(StandardCharsets.UTF_8));
  }

  /** The run file of an arm. */
  private RunFile file(SweepArm arm, int seed) {
    ConfigSection written = written(arm, seed);
    RunFile file = application.read(written);
    long batches = batches(written);
    if (batches <= sweep.warm()) {
      throw written.invalid(
          "batches",
          "a last batch" + (sweep.warm() > 0 ? ", after those of warm, " + sweep.warm() : ""),
          Long.toString(batches));
    }
    return file;
  }

  /** What the run of an arm with the first seed comes to. */
  RunSpec resolve(SweepArm arm) {
    return application.resolve(file(arm, 1), patience, said -> {});
  }

  private static long batches(ConfigSection written) {
    return written.count("batches", "batches", 0, Long.MAX_VALUE, 0);
  }

  private ConfigSection written(SweepArm arm, int seed) {
    Map<String, JsonNode> own = new LinkedHashMap<>();
    own.put("run", SweepFile.text(sweep.run(arm.name(), seed)));
    own.put("seed", JsonNodeFactory.instance.numberNode(seed));
    return arm.file(sweep.run(), own);
  }

  /** Trains what all arms of a seed begin with; does nothing if there is nothing such. */
  void warm(int seed) throws InterruptedException {
    if (sweep.warm() > 0) {
      SweepArm arm = new SweepArm(WARM, Map.of());
      RunFile file = file(arm, seed);
      application.apply(file, patience, said -> {});
      train(file.run(), seed, sweep.warm(), Optional.empty());
    }
  }

  /** Trains a run of an arm to its end. */
  SweptRun run(SweepArm arm, int seed) throws InterruptedException {
    RunFile file = file(arm, seed);
    if (sweep.warm() == 0) {
      application.apply(file, patience, said -> {});
    } else if (RunCatalog.read(application.access()).find(file.run()).isEmpty()) {
      String parent = sweep.run(WARM, seed);
      new RunFork(application, RunLogs.of(application.access()).require(parent), sweep.warm())
          .start(file.run(), Optional.of(file), patience, said -> {});
    }
    long steps = batches(written(arm, seed));
    train(
        file.run(),
        seed,
        steps,
        sweep.warm() == 0 ? Optional.empty() : Optional.of(checkpoints(sweep.run(WARM, seed))));
    return outcome(arm, seed, file.run(), steps);
  }

  private Path checkpoints(String run) {
    return directory.resolve(run + ".checkpoints");
  }

  private void train(String run, int seed, long steps, Optional<Path> from)
      throws InterruptedException {
    Path log = directory.resolve(run + ".log");
    Training asked = new Training(run, seed, steps, steps, checkpoints(run), from);
    try {
      Process process = started(sweep.trainer().program(asked, global), log);
      training.add(process);
      try {
        process.getOutputStream().close();
        int exit = process.waitFor();
        if (exit != 0) {
          throw new CheckFailedException("its trainer ended with " + exit + ": " + last(log));
        }
      } finally {
        process.destroy();
        training.remove(process);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Process started(ProcessBuilder program, Path log) {
    try {
      return program.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile())).start();
    } catch (IOException e) {
      throw new CheckFailedException("its trainer cannot be started: " + e.getMessage(), e);
    }
  }

  private static String last(Path log) throws IOException {
    List<String> lines = Files.readAllLines(log);
    return String.join(" / ", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
  }

  private SweptRun outcome(SweepArm arm, int seed, String run, long steps) {
    LossHistory losses = RunLosses.read(application.access(), run);
    LossHistory.Round last = losses.rounds().get(steps);
    if (last == null || Arrays.stream(last.losses()).allMatch(Double::isNaN)) {
      throw new CheckFailedException(
          "its trainer reported no held-out losses at its last step, " + steps);
    }
    Map<String, Double> ended = new LinkedHashMap<>();
    for (int i = 0; i < last.losses().length; i++) {
      if (!Double.isNaN(last.losses()[i])) {
        ended.put(losses.domains().get(i), last.losses()[i]);
      }
    }
    long[] sequences = RunHistory.read(application.access(), run).sequences();
    double all = Arrays.stream(sequences).sum();
    Map<String, Double> weights = new LinkedHashMap<>();
    for (int i = 0; i < sequences.length; i++) {
      weights.put(losses.domains().get(i), sequences[i] / all);
    }
    return new SweptRun(run, arm.name(), seed, asked(arm, seed), ended, weights);
  }
}
