package io.sluice.cli.upgrade;

import io.sluice.cli.flink.FlinkRest;
import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.cli.upgrade.FlinkCluster.Release;
import io.sluice.control.config.Durations;
import io.sluice.control.error.BadInputException;
import io.sluice.control.reach.Reachability;
import io.sluice.schema.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sluice upgrade}. */
@Command(
    name = "upgrade",
    description = {
      "Move jobs on a Flink of yours to the jar of this release, or to another parallelism: each is"
          + " stopped with a savepoint and started from it, once all of it runs and a checkpoint is"
          + " complete, and is waited for until that holds again. Before anything is stopped, Flink"
          + " makes the plan of each job to come, for which it runs the jar's program as at a start,"
          + " and must have the slots for it.",
      "Without --flink only the steps are printed, as commands of Flink's client and of its"
          + " operator. If something fails, what runs then is said, and the commands that go back.",
      "Trainers go on meanwhile with the batches that their streams have."
    })
public final class UpgradeCommand extends CliCommand {
  private static final Duration LEAST_WAIT = Duration.ofSeconds(10);
  private static final Duration MOST_WAIT = Duration.ofDays(1);
  private static final int MOST_PARALLELISM = 32_768;
  private static final long PAUSE_MILLIS = 300;

  @Option(
      names = "--flink",
      paramLabel = "URL",
      description =
          "Do it, at this address of Flink's REST interface, such as http://localhost:8081."
              + " Default: print the steps.")
  private @Nullable String flink;

  @Option(
      names = "--job",
      paramLabel = "JOB",
      description =
          "A job: mix, 'prepare DATASET', 'refine REFINERY', or its id in Flink; may be given"
              + " several times. Default: that which the arguments start, else all that run there;"
              + " without --flink mix.")
  private List<String> jobs = List.of();

  @Option(
      names = "--jar",
      paramLabel = "FILE",
      description =
          "The jobs' jar. Default: sluice-jobs-VERSION-flink.jar beside this command's lib, or"
              + " beside the folder of that.")
  private @Nullable Path jar;

  @Option(
      names = "--parallelism",
      paramLabel = "N",
      description = "Parallelism of the job to come, from 1 to 32768. Default: that of before.")
  private @Nullable Integer parallelism;

  @Option(
      names = "--savepoint-dir",
      paramLabel = "URI",
      description =
          "The folder below which savepoints go, which every process of Flink reaches. Default: the"
              + " cluster's execution.checkpointing.savepoint-dir.")
  private @Nullable String savepoints;

  @Option(
      names = "--option",
      paramLabel = "KEY=VALUE",
      description =
          "An option of Flink's for the job to come, as -D of 'flink run' gives it; those that the"
              + " job was started with are not known and must be given again.")
  private Map<String, String> options = new LinkedHashMap<>();

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      description = "How long each step is waited for, from 10s to 1d. Default: ${DEFAULT-VALUE}.")
  private String timeout = "10m";

  @Option(
      names = "--dry-run",
      description =
          "With --flink, look whether everything fits, say what would be done, and stop. The jar is"
              + " sent for the plans, and removed again.")
  private boolean dryRun;

  @Mixin private JsonFile json = new JsonFile();

  @Parameters(
      paramLabel = "ARGUMENT",
      arity = "0..*",
      description =
          "Behind '--': what the job is started with, such as mix --kafka HOST:PORT. Default: what"
              + " it says that it was started with.")
  private List<String> arguments = List.of();

  @Override
  public void run() {
    if (parallelism != null && (parallelism < 1 || parallelism > MOST_PARALLELISM)) {
      throw new BadInputException(
          "--parallelism must be from 1 to " + MOST_PARALLELISM + ": " + parallelism);
    }
    if (flink == null) {
      printSteps();
    } else {
      move(new FlinkCluster(new FlinkRest(flink, Reachability.LIMIT)));
    }
  }

  private JobsJar jar() {
    return jar == null ? JobsJar.ofThisRelease() : JobsJar.read(jar);
  }

  private void printSteps() {
    if (dryRun) {
      throw misused("--dry-run must stand with --flink: nothing is done without it");
    }
    List<JobName> names = names();
    Topics topics = arguments.isEmpty() ? global().topics() : new JobArguments(arguments).topics();
    ManualSteps steps =
        new ManualSteps(
            jar(),
            topics,
            Optional.ofNullable(savepoints),
            Optional.ofNullable(parallelism),
            options);
    Map<String, List<String>> lines = new LinkedHashMap<>();
    for (JobName name : names) {
      List<String> own =
          steps.lines(name, arguments.isEmpty() ? name.arguments(kafka()) : arguments);
      print(own);
      lines.put(name.deployment(topics), own);
    }
    json.write(Map.of("steps", lines));
  }

  /** The jobs that are named; arguments name one, too. */
  private List<JobName> names() {
    List<JobName> named = jobs.stream().map(JobName::parse).toList();
    if (arguments.isEmpty()) {
      return named.isEmpty() ? List.of(JobName.MIX) : named;
    }
    if (named.size() > 1) {
      throw misused("arguments are of one job: name it with --job");
    }
    JobArguments started = new JobArguments(arguments);
    named.forEach(name -> started.requireOf(name.flinks(), "'" + name.text() + "'"));
    return List.of(started.name());
  }

  private List<String> kafka() {
    String servers = global().namesKafka() ? global().access().bootstrapServers() : "HOST:PORT";
    return List.of("--kafka", servers, "--prefix", global().topics().prefixes());
  }

  private void move(FlinkCluster cluster) {
    JobsJar next = jar();
    BoundedWait wait = new BoundedWait(limit(), UpgradeCommand::pause, System::nanoTime, this::say);
    Release release = cluster.release();
    List<PlannedMove> moves =
        new Planning(
                cluster,
                next,
                new Planning.Wanted(
                    jobs,
                    Optional.ofNullable(parallelism),
                    Optional.ofNullable(savepoints),
                    options,
                    arguments))
            .moves(release);
    say(
        "Flink %s at %s runs %s, built for %s"
            .formatted(release.version(), cluster.url(), next.file(), next.flink()));
    moves.forEach(each -> say(each.line(next)));
    try (SentJar sent = SentJar.of(cluster, next.file())) {
      new Rehearsal(cluster, sent.id(), options, wait.limit()).of(moves);
      if (dryRun) {
        say("their plans are made, and there is room; nothing was stopped: --dry-run");
      } else {
        Move move = new Move(cluster, next, sent.id(), options, wait, this::say);
        moves.forEach(move::make);
      }
    }
    json.write(new Moved(!dryRun, moves));
  }

  /** What was, or would be, done. */
  private record Moved(boolean done, List<PlannedMove> jobs) {}

  private Duration limit() {
    Duration limit = Durations.require("--timeout", timeout);
    if (limit.compareTo(LEAST_WAIT) < 0 || limit.compareTo(MOST_WAIT) > 0) {
      throw new BadInputException("--timeout must be from 10s to 1d: '" + timeout + "'");
    }
    return limit;
  }

  private static void pause() throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
  }

  private void say(String line) {
    print(List.of("sluice: " + line));
  }
}
