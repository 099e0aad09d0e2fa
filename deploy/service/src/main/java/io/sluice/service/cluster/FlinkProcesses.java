package io.sluice.service.cluster;

import io.sluice.control.error.BadInputException;
import io.sluice.service.supervise.JavaProcess;
import io.sluice.service.supervise.LongLived;
import io.sluice.service.supervise.Supervised;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ConfigurationUtils;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessSpec;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessUtils;
import org.apache.flink.runtime.jobmanager.JobManagerProcessSpec;
import org.apache.flink.runtime.jobmanager.JobManagerProcessUtils;
import org.apache.flink.runtime.util.config.memory.ProcessMemoryUtils;

/** The Flink processes of a cluster: how each is started, and with which options. */
final class FlinkProcesses {
  private static final List<String> OPENS =
      List.of(
          "--add-opens=java.base/java.util=ALL-UNNAMED",
          "--add-opens=java.base/java.lang=ALL-UNNAMED");

  private final Path directory;
  private final Path logs;
  private final Configuration options;

  /**
   * Writes Flink's configuration file.
   *
   * @param told from the port that the job manager listens on to the one that others are told
   * @param directory of the cluster's configuration and working files
   * @throws BadInputException if it cannot be written
   */
  FlinkProcesses(ClusterSettings settings, IntUnaryOperator told, Path directory, Path logs) {
    this.directory = directory;
    this.logs = logs;
    this.options = FlinkOptions.of(settings, told);
    Path file = conf().resolve("config.yaml");
    try {
      Files.createDirectories(conf());
      Files.write(file, ConfigurationUtils.convertConfigToWritableLines(options, true));
    } catch (IOException e) {
      throw new BadInputException("state directory must be writable: " + file + ": " + e, e);
    }
  }

  /** What a client of the cluster needs to know. */
  Configuration options() {
    return options;
  }

  Supervised jobManager() {
    JobManagerProcessSpec memory = JobManagerProcessUtils.processSpecFromConfig(options);
    return process(
        FlinkProcess.JOB_MANAGER,
        FlinkProcess.JOB_MANAGER,
        JobManagerProcessUtils.generateJvmParametersStr(memory, options),
        JobManagerProcessUtils.generateDynamicConfigsStr(memory));
  }

  /**
   * @param number from 1
   */
  Supervised taskManager(int number) {
    TaskExecutorProcessSpec memory = TaskExecutorProcessUtils.processSpecFromConfig(options);
    String name = FlinkProcess.TASK_MANAGER + "-" + number;
    // A task manager that comes back under its name lets Flink forget the one before at once.
    return process(
        FlinkProcess.TASK_MANAGER,
        name,
        ProcessMemoryUtils.generateJvmParametersStr(memory),
        TaskExecutorProcessUtils.generateDynamicConfigsStr(memory)
            + " -D "
            + TaskManagerOptions.TASK_MANAGER_RESOURCE_ID.key()
            + "="
            + name);
  }

  private Supervised process(String kind, String name, String jvm, String dynamic) {
    Path scratch = directory.resolve("tmp").resolve(name);
    List<String> jvmOptions = new ArrayList<>(OPENS);
    jvmOptions.addAll(words(jvm));
    if (kind.equals(FlinkProcess.JOB_MANAGER)) {
      // Nothing in it is hot, and it should be back soon.
      jvmOptions.add("-XX:TieredStopAtLevel=1");
    } else {
      jvmOptions.addAll(LongLived.COMPILERS);
    }
    jvmOptions.add("-XX:+UseSerialGC");
    jvmOptions.add("-XX:+ExitOnOutOfMemoryError");
    jvmOptions.add(
        "-Dlog4j2.configurationFile=classpath:io/sluice/service/cluster/flink-log4j2.properties");
    jvmOptions.add("-Dlog4j2.disableJmx=true");
    jvmOptions.add("-Dsluice.log=" + logs.resolve(name));
    List<String> arguments = new ArrayList<>(List.of(kind, "--configDir", conf().toString()));
    arguments.addAll(words(dynamic));
    arguments.add("-D");
    arguments.add(CoreOptions.TMP_DIRS.key() + "=" + scratch);
    return new Supervised(
        name,
        new JavaProcess(FlinkProcess.class.getName(), jvmOptions, arguments).remembered(kind),
        List.of(scratch));
  }

  private Path conf() {
    return directory.resolve("conf");
  }

  private static List<String> words(String text) {
    return List.of(text.strip().split("\\s+"));
  }
}
