package io.sluice.lab.bench.age;

import io.sluice.cli.Sluice;
import io.sluice.cli.options.GlobalOptions;
import io.sluice.client.run.RunDirectory;
import io.sluice.client.run.RunInfo;
import io.sluice.client.run.StreamState;
import io.sluice.client.stream.Loader;
import io.sluice.client.stream.StreamOptions;
import io.sluice.control.audit.AuditReport;
import io.sluice.control.audit.Auditor;
import io.sluice.jobs.mix.MixJob;
import io.sluice.lab.bench.measure.BenchLog;
import io.sluice.lab.bench.measure.Compression;
import io.sluice.lab.bench.measure.Stage;
import io.sluice.lab.bench.measure.Usage;
import io.sluice.service.flink.JobHandle;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** Brings a service to an age, on a broker of its own, and measures what it costs then. */
final class AgeBenchmark implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final String JOB = "mix";

  private final Stage stage;
  private final Path home;
  private final AgeShape shape;
  private final int repeats;
  private final BenchLog log;
  private final AgedService service;
  private final LiveTrainers trainers;
  private JobHandle job;

  private AgeBenchmark(Stage stage, Path home, AgeShape shape, int repeats, BenchLog log) {
    this.stage = stage;
    this.home = home;
    this.shape = shape;
    this.repeats = repeats;
    this.log = log;
    service = new AgedService(stage.kafka(), shape, log);
    service.write();
    requireSound(service.ended().get(0));
    List<RunInfo> runs = service.live().stream().map(this::find).toList();
    trainers = new LiveTrainers(stage.kafka(), runs, shape.decisionsOfLive() + 1L);
    log.say("MixJob starts for the first time");
    trainers.report();
    job = stage.flink().submit(JOB, env -> MixJob.build(env, stage.kafka()));
    trainers.await();
    EndedRuns.awaitMarks(stage.kafka(), shape.ended(), log);
  }

  /** Measures a service of this age. */
  static AgeFigures measure(
      Path directory, AgeShape shape, int repeats, Optional<PythonOpening> python, BenchLog log) {
    try (Stage stage = Stage.open(directory, Compression.NONE);
        AgeBenchmark age = new AgeBenchmark(stage, directory, shape, repeats, log)) {
      return age.figures(python);
    }
  }

  private AgeFigures figures(Optional<PythonOpening> python) {
    Cost fromCheckpoint = restart("from a checkpoint", true);
    long withJob = Usage.liveHeap();
    Cost withoutState = restart("without state", false);
    job.cancel();
    log.say("opening trainers, listing and showing runs");
    Cost openJava = Cost.of(repeats, turn -> open(turn).close());
    Cost runList = Cost.of(repeats, turn -> command("run", "list"));
    Cost runShow = Cost.of(repeats, turn -> command("run", "show", liveAt(turn)));
    @Nullable Cost openPython =
        python
            .map(each -> each.measure(stage.kafka(), liveAt(0), state(liveAt(0)), repeats))
            .orElse(null);
    long withTrainer = liveHeapWithTrainer();
    long without = Usage.liveHeap();
    return new AgeFigures(
        shape,
        openJava,
        openPython,
        runList,
        runShow,
        fromCheckpoint,
        withoutState,
        withJob - without,
        withTrainer - without);
  }

  private long liveHeapWithTrainer() {
    try (Loader open = open(0)) {
      long bytes = Usage.liveHeap();
      log.say("a trainer was open after batch %d", open.state().batch());
      return bytes;
    }
  }

  /** What was written stands an audit. */
  private void requireSound(String run) {
    AuditReport audit = Auditor.audit(stage.kafka(), run);
    if (!audit.violations().isEmpty() || audit.emitted() != shape.decisionsOfEnded() + 1) {
      throw new IllegalStateException(
          "run " + run + " has " + audit.emitted() + " batches, " + audit.violations());
    }
  }

  /** The time until every live run has a batch that its trainer asked for before. */
  private Cost restart(String how, boolean restore) {
    List<Double> wall = new ArrayList<>();
    List<Double> cpu = new ArrayList<>();
    for (int turn = 0; turn <= repeats; turn++) {
      job.checkpoint();
      job.cancel();
      trainers.report();
      Usage before = Usage.now();
      long start = System.nanoTime();
      job =
          restore
              ? stage.flink().run(JOB, env -> MixJob.build(env, stage.kafka()))
              : stage.flink().submit(JOB, env -> MixJob.build(env, stage.kafka()));
      trainers.await();
      double taken = System.nanoTime() - start;
      double used = Usage.now().cpuNanosSince(before);
      log.say("restart %s, %s: %.0f ms", how, BenchLog.turn(turn, repeats), taken / 1e6);
      if (turn > 0) {
        wall.add(taken);
        cpu.add(used);
      }
    }
    return Cost.ofNanos(wall, cpu);
  }

  private String liveAt(int turn) {
    return service.live().get(turn % shape.live());
  }

  private RunInfo find(String name) {
    return RunDirectory.find(stage.kafka(), name, PATIENCE);
  }

  /** After the last batch: a batch is one sequence. */
  private StreamState state(String name) {
    return new StreamState(AgedService.runId(name), 0, trainers.batch(), trainers.batch());
  }

  private Loader open(int turn) {
    String name = liveAt(turn);
    return Loader.open(
        stage.kafka(), find(name), StreamOptions.defaults().observing(), state(name));
  }

  private void command(String... arguments) {
    CommandLine command = Sluice.commandLine(new GlobalOptions(Map.of(), home), further -> {});
    StringWriter said = new StringWriter();
    command.setOut(new PrintWriter(said)).setErr(new PrintWriter(said));
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--kafka", stage.kafka().bootstrapServers()));
    if (command.execute(all.toArray(String[]::new)) != 0) {
      throw new IllegalStateException(String.join(" ", arguments) + " failed: " + said);
    }
  }

  @Override
  public void close() {
    trainers.close();
  }
}
