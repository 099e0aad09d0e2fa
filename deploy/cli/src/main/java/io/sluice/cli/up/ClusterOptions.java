package io.sluice.cli.up;

import io.sluice.control.config.Durations;
import io.sluice.service.cluster.ClusterSettings;
import io.sluice.service.cluster.ProcessMemory;
import io.sluice.service.cluster.ProcessMemory.Given;
import io.sluice.service.local.LocalSettings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** Options of a cluster of processes. */
final class ClusterOptions {
  @Option(
      names = "--task-managers",
      paramLabel = "N",
      description = "Task managers, from 1 to 64. Default: 2.")
  private int taskManagers = 2;

  @Option(
      names = "--parallelism",
      paramLabel = "N",
      description = "Subtasks that mix. Default: one for each task manager.")
  private @Nullable Integer parallelism;

  @Option(
      names = "--prepare-parallelism",
      paramLabel = "N",
      description =
          "Tasks that prepare each dataset, up to 32 for each task manager; its domains are dealt"
              + " among them. Default: one for each task manager.")
  private @Nullable Integer prepareParallelism;

  @Option(
      names = "--broker-memory",
      paramLabel = "SIZE",
      description = "Heap of the Kafka that is started, at least 128m. Default: 512m.")
  private @Nullable String brokerMemory;

  @Option(
      names = "--job-manager-memory",
      paramLabel = "SIZE",
      description = "Memory of the job manager's process, at least 640m. Default: 1g.")
  private @Nullable String jobManagerMemory;

  @Option(
      names = "--task-manager-memory",
      paramLabel = "SIZE",
      description = "Memory of each task manager's process, at least 1g. Default: 1536m.")
  private @Nullable String taskManagerMemory;

  @Option(
      names = "--delivery-timeout",
      paramLabel = "TIME",
      description =
          "How long Kafka may stay away before what was sent is sent again, at least 1s. Default: 60s.")
  private String deliveryTimeout = "60s";

  @Option(
      names = "--flink",
      paramLabel = "KEY=VALUE",
      description = "An option of the Flink processes, such as heartbeat.timeout=10s.")
  private Map<String, String> flink = new LinkedHashMap<>();

  /** Names of the options that the user gave. */
  static List<String> given(CommandSpec command) {
    return command.commandLine().getParseResult().matchedOptions().stream()
        .filter(option -> option.group() != null)
        .map(OptionSpec::longestName)
        .toList();
  }

  ClusterSettings settings(LocalSettings service) {
    ProcessMemory memory =
        ProcessMemory.defaults()
            .with(
                new Given("--broker-memory", brokerMemory),
                new Given("--job-manager-memory", jobManagerMemory),
                new Given("--task-manager-memory", taskManagerMemory));
    return new ClusterSettings(
        service,
        1,
        taskManagers,
        orTaskManagers(parallelism),
        orTaskManagers(prepareParallelism),
        memory,
        Durations.require("--delivery-timeout", deliveryTimeout),
        flink);
  }

  private int orTaskManagers(@Nullable Integer given) {
    return given == null ? taskManagers : given;
  }
}
