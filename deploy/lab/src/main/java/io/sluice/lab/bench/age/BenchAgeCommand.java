package io.sluice.lab.bench.age;

import io.sluice.lab.bench.measure.BenchLog;
import io.sluice.lab.bench.measure.Benchmark;
import io.sluice.lab.bench.measure.Machine;
import io.sluice.lab.python.PythonClient;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sluice bench age}. */
@Command(
    name = "age",
    description = {
      "Whether a service ages: what it takes to open a trainer, to list and show runs, and to"
          + " restart MixJob, with much behind it and with little.",
      ""
    })
public final class BenchAgeCommand extends Benchmark {
  @Option(
      names = "--ended",
      paramLabel = "N",
      description = "Runs of the old service that are completed. Default: 1000; 20 with --quick.")
  private @Nullable Integer ended;

  @Option(
      names = "--live",
      paramLabel = "N",
      description = "Runs that go on, of both services. Default: 10; 2 with --quick.")
  private @Nullable Integer live;

  @Option(
      names = "--decisions",
      paramLabel = "N",
      description =
          "Decisions in the logs of the old service, half of them of the live runs. Default:"
              + " 1000000; 2000 with --quick.")
  private @Nullable Integer decisions;

  @Option(
      names = "--domains",
      paramLabel = "K",
      description = "Domains of every run. Default: ${DEFAULT-VALUE}.")
  private int domains = 64;

  @Override
  public void run() {
    Machine machine = Machine.here();
    BenchLog log = log();
    int runs = live == null ? (quick() ? 2 : 10) : live;
    AgeShape old =
        AgeShape.of(
            ended == null ? (quick() ? 20 : 1_000) : ended,
            runs,
            decisions == null ? (quick() ? 2_000 : 1_000_000) : decisions,
            domains);
    AgeShape young = old.younger(quick() ? 2 : 10, quick() ? 40 : 1_000);
    Optional<PythonOpening> python = PythonClient.find().map(PythonOpening::new);
    if (python.isEmpty()) {
      log.say("Python is left out: " + PythonClient.NEEDS);
    }
    AgeFigures ofYoung = AgeBenchmark.measure(directory(), young, repeats(), python, log);
    AgeFigures ofOld = AgeBenchmark.measure(directory(), old, repeats(), python, log);
    AgeResult result = AgeResult.of(ofOld, ofYoung, StaticLog.entries(domains));
    report(machine, AgeResult.HEAD, result.rows(), result);
  }
}
