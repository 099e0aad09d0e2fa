package io.sluice.cli.plan;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.cli.plan.form.CommandForm;
import io.sluice.cli.plan.form.FlinkForm;
import io.sluice.cli.plan.form.KubernetesName;
import io.sluice.cli.plan.form.PlanText;
import io.sluice.cli.plan.form.PlanView;
import io.sluice.cli.plan.form.StrimziForm;
import io.sluice.cli.plan.need.Plan;
import io.sluice.cli.plan.need.Quotas;
import io.sluice.control.error.BadInputException;
import io.sluice.schema.Topics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice plan}. */
@Command(
    name = "plan",
    description = {
      "Show what applying files of datasets, runs and refineries would need: topics, bytes, rights,"
          + " quotas, memory, and what evaluation costs. Changes nothing.",
      "Brokers that are named are asked how many they are, what of the topics is there or other"
          + " than it must be, and what is prepared."
    })
public final class PlanCommand extends CliCommand {
  private static final Pattern CLUSTER = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?");

  private static final Pattern STATE =
      Pattern.compile("[a-z][a-z0-9+.-]*:/[A-Za-z0-9._~/-]{0,500}[A-Za-z0-9._~-]");

  private static final int USUAL_BROKERS = 3;
  private static final int MOST_BROKERS = 1_000;
  private static final int MOST_RANKS = 1 << 17;

  @Option(
      names = {"-f", "--file"},
      required = true,
      arity = "1..*",
      paramLabel = "FILE",
      description = "Files of datasets, runs and refineries, in YAML.")
  private List<Path> files = List.of();

  @Option(
      names = "--offline",
      description =
          "Ask no broker, as where none is known; a run's dataset must be among the files.")
  private boolean offline;

  @Option(
      names = "--brokers",
      paramLabel = "N",
      description = "Brokers that there will be, where none is asked, from 1 to 1000. Default: 3.")
  private @Nullable Integer brokers;

  @Option(
      names = "--tokens",
      converter = TokenCount.class,
      paramLabel = "N",
      description =
          "Tokens that each dataset is to have for training. Default: what the runs train on.")
  private @Nullable Long tokens;

  @Option(
      names = "--rate",
      converter = TokenCount.class,
      paramLabel = "N",
      description =
          "Tokens that each run's trainers take in a second, for quotas: twice what that needs, of"
              + " each broker.")
  private @Nullable Long rate;

  @Option(
      names = "--ranks",
      defaultValue = "1",
      paramLabel = "N",
      description =
          "Ranks of each run's trainers, from 1 to 131072, for quotas. Default: ${DEFAULT-VALUE}.")
  private int ranks = 1;

  @ArgGroup private @Nullable Form form;

  @Mixin private JsonFile json = new JsonFile();

  private static final class Form {
    @Option(
        names = "--strimzi",
        paramLabel = "CLUSTER",
        description = "Print the topics and users as manifests for this cluster of Strimzi.")
    private @Nullable String strimzi;

    @Option(
        names = "--flink",
        paramLabel = "URI",
        description =
            "Print the jobs as manifests for Flink's operator, with their state below this folder"
                + " or bucket.")
    private @Nullable String flink;

    @Option(
        names = "--commands",
        description = "Print the topics, rights and quotas as commands of Kafka's own tools.")
    private boolean commands;
  }

  @Override
  public void run() {
    require("--ranks", ranks, MOST_RANKS);
    if (brokers != null) {
      require("--brokers", brokers, MOST_BROKERS);
    }
    boolean asks = !offline && isKnown();
    if (asks && brokers != null) {
      throw misused("--brokers is for --offline: brokers that are asked say how many they are");
    }
    Plan plan = plan(PlannedFiles.read(files), asks);
    json.write(PlanView.of(plan));
    print(lines(plan));
    if (!asks && !offline) {
      notice("no broker is known, and none was asked: --kafka HOST:PORT names some");
    }
  }

  private boolean isKnown() {
    return global().namesKafka() || Files.exists(global().endpointFile());
  }

  private Plan plan(PlannedFiles read, boolean asks) {
    if (!asks) {
      return plan(read, new Cluster.Unasked(brokers == null ? USUAL_BROKERS : brokers));
    }
    try (AskedCluster cluster = new AskedCluster(access())) {
      return plan(read, cluster);
    }
  }

  private Plan plan(PlannedFiles read, Cluster cluster) {
    Optional<Quotas> quotas = Optional.ofNullable(rate).map(each -> new Quotas(each, ranks));
    OptionalLong wanted = tokens == null ? OptionalLong.empty() : OptionalLong.of(tokens);
    return new Planner(global().topics(), cluster, wanted, quotas).of(read);
  }

  private List<String> lines(Plan plan) {
    Topics topics = global().topics();
    if (form != null && form.strimzi != null) {
      require("--strimzi", CLUSTER, form.strimzi);
      return new StrimziForm(plan, form.strimzi).lines();
    }
    if (form != null && form.flink != null) {
      require("--flink", STATE, form.flink);
      return new FlinkForm(plan, topics, form.flink, KubernetesName.user(topics, "jobs")).lines();
    }
    if (form != null && form.commands) {
      String servers = isKnown() ? global().access().bootstrapServers() : "HOST:PORT";
      return new CommandForm(plan, servers).lines();
    }
    return new PlanText(plan).lines();
  }

  private static void require(String option, int value, int most) {
    if (value < 1 || value > most) {
      throw new BadInputException(option + " must be from 1 to " + most + ": " + value);
    }
  }

  private static void require(String option, Pattern form, String value) {
    if (!form.matcher(value).matches()) {
      throw new BadInputException(option + " must match " + form + ": '" + value + "'");
    }
  }
}
