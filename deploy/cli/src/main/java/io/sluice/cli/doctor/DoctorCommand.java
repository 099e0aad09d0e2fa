package io.sluice.cli.doctor;

import io.sluice.cli.flink.FlinkRest;
import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.cli.rights.RoleOptions;
import io.sluice.control.error.BadInputException;
import io.sluice.control.error.CheckFailedException;
import io.sluice.control.rights.Right;
import io.sluice.schema.KafkaAccess;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice doctor}. */
@Command(
    name = "doctor",
    description = {
      "Look whether brokers, topics, rights, clocks, jobs and transactions are as they should be,"
          + " without changing anything: a line for each finding, with what helps.",
      "Ends with code 1 if something does not work."
    })
public final class DoctorCommand extends CliCommand {
  private static final int MOST_SECONDS = 3600;

  @Option(
      names = "--timeout",
      defaultValue = "20",
      paramLabel = "SECONDS",
      description = "How long each check may take, from 1 to 3600. Default: ${DEFAULT-VALUE}.")
  private int timeout = 20;

  @Option(
      names = "--flink",
      paramLabel = "URL",
      description =
          "REST address of a Flink of yours, as http://HOST:8081: are the jobs there that datasets,"
              + " refineries and runs need, and how old are their checkpoints?")
  private @Nullable String flink;

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      description =
          "Look for the rights of a role, as 'sluice rights' has them, in place of all: job, operator,"
              + " observer, producer of a --domain, or trainer of a --run.")
  private RoleOptions.@Nullable Name role;

  @Mixin private RoleOptions options = new RoleOptions();

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    if (timeout < 1 || timeout > MOST_SECONDS) {
      throw new BadInputException("--timeout must be from 1 to " + MOST_SECONDS + ": " + timeout);
    }
    if (role == null && options.isGiven()) {
      throw new BadInputException("--domain, --run and --dataset are of a --role");
    }
    DoctorReport report = examine(Duration.ofSeconds(timeout));
    json.write(report.view());
    print(report.lines());
    long failures = report.count(Verdict.FAILURE);
    if (failures > 0) {
      throw new CheckFailedException(
          failures + (failures == 1 ? " finding is a failure" : " findings are failures"));
    }
  }

  private DoctorReport examine(Duration limit) {
    // Not of those that are reachable: that they are not is the first finding.
    KafkaAccess access = global().access();
    try (Brokers brokers = new Brokers(access, limit)) {
      return new DoctorReport(
          access.bootstrapServers(),
          access.topics().prefix(),
          new Examination(limit).of(new ReachCheck(brokers), asked(brokers, limit)));
    }
  }

  private List<Check> asked(Brokers brokers, Duration limit) {
    InstantSource clock = InstantSource.system();
    List<Check> checks = new ArrayList<>(checks(brokers, clock, limit));
    if (role != null) {
      String named = role.name().toLowerCase(Locale.ROOT);
      List<Right> rights = options.role(role, brokers::access).rights(brokers.topics());
      checks.replaceAll(
          check -> check instanceof RightsCheck ? new RoleCheck(brokers, named, rights) : check);
    }
    if (flink != null) {
      checks.add(new FlinkCheck(brokers, new FlinkRest(flink, limit), clock));
    }
    return checks;
  }

  /**
   * All checks of brokers but the first, in the order in which each one's failure explains those
   * after it.
   */
  static List<Check> checks(Brokers brokers, InstantSource clock, Duration limit) {
    return List.of(
        new VersionsCheck(brokers),
        new FeatureCheck(brokers),
        new RightsCheck(brokers),
        new ClockCheck(brokers, clock),
        new TopicsCheck(brokers),
        new OrphansCheck(brokers),
        new TransactionsCheck(brokers, clock),
        new PreparingCheck(brokers, clock, limit),
        new MixJobCheck(brokers, clock, limit));
  }
}
