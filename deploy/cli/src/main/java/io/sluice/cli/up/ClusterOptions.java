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
import picocli.CommandLine.Option;

/** Options of a cluster of processes. */
final class ClusterOptions {
  private static final String TASK_MANAGERS = "--task-managers";
  private static final String PARALLELISM = "--parallelism";
  private static final String BROKER_MEMORY = "--broker-memory";
  private static final String JOB_MANAGER_MEMORY = "--job-manager-memory";
  private static final String TASK_MANAGER_MEMORY = "--task-manager-memory";
  private static final String DELIVERY_TIMEOUT = "--delivery-timeout";
  private static final String FLINK = "--flink";
  private static final List<String> ALL =
      List.of(
          TASK_MANAGERS,
          PARALLELISM,
          BROKER_MEMORY,
          JOB_MANAGER_MEMORY,
          TASK_MANAGER_MEMORY,
          DELIVERY_TIMEOUT,
          FLINK);

  @Option(
      names = TASK_MANAGERS,
      paramLabel = "N",
      description = "Task managers, from 1 to 64. Default: 2.")
  private int taskManagers = 2;

  @Option(
      names = PARALLELISM,
      paramLabel = "N",
      description = "Subtasks that mix. Default: one for each task manager.")
  private @Nullable Integer parallelism;

  @Option(
      names = BROKER_MEMORY,
      paramLabel = "SIZE",
      description = "Heap of the Kafka that is started, at least 128m. Default: 512m.")
  private @Nullable String brokerMemory;

  @Option(
      names = JOB_MANAGER_MEMORY,
      paramLabel = "SIZE",
      description = "Memory of the job manager's process, at least 640m. Default: 1g.")
  private @Nullable String jobManagerMemory;

  @Option(
      names = TASK_MANAGER_MEMORY,
      paramLabel = "SIZE",
      description = "Memory of each task manager's process, at least 1g. Default: 1536m.")
  private @Nullable String taskManagerMemory;

  @Option(
      names = DELIVERY_TIMEOUT,
      paramLabel = "TIME",
      description =
          "How long Kafka may stay away before the mixing restarts, at least 1s. Default: 60s.")
  private String deliveryTimeout = "60s";

  @Option(
      names = FLINK,
      paramLabel = "KEY=VALUE",
      description = "An option of the Flink processes, such as heartbeat.timeout=10s.")
  private Map<String, String> flink = new LinkedHashMap<>();

  /** Names of the options that the user gave. */
  List<String> given(CommandSpec command) {
    return given(ALL, command);
  }

  /** Names of the options that the user gave and that are for a Kafka that is started. */
  List<String> ofBroker(CommandSpec command) {
    return given(List.of(BROKER_MEMORY), command);
  }

  private static List<String> given(List<String> names, CommandSpec command) {
    return names.stream()
        .filter(name -> command.commandLine().getParseResult().hasMatchedOption(name))
        .toList();
  }

  ClusterSettings settings(LocalSettings service) {
    ProcessMemory memory =
        ProcessMemory.defaults()
            .with(
                new Given(BROKER_MEMORY, brokerMemory),
                new Given(JOB_MANAGER_MEMORY, jobManagerMemory),
                new Given(TASK_MANAGER_MEMORY, taskManagerMemory));
    ClusterSettings settings =
        ClusterSettings.of(service, taskManagers)
            .withMemory(memory)
            .withDeliveryTimeout(Durations.require(DELIVERY_TIMEOUT, deliveryTimeout))
            .withFlink(flink);
    return parallelism == null ? settings : settings.withParallelism(parallelism);
  }
}
