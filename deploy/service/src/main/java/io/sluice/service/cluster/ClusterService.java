package io.sluice.service.cluster;

import io.sluice.jobs.mix.MixJob;
import io.sluice.jobs.mix.stream.StreamSinkSettings;
import io.sluice.schema.KafkaAccess;
import io.sluice.service.broker.BrokerProbe;
import io.sluice.service.broker.BrokerProgram;
import io.sluice.service.flink.FlinkSettings;
import io.sluice.service.flink.JobGraphs;
import io.sluice.service.local.DatasetJobs;
import io.sluice.service.local.DatasetWatch;
import io.sluice.service.local.KafkaCluster;
import io.sluice.service.local.OpenParts;
import io.sluice.service.local.RefineJobs;
import io.sluice.service.local.RestartWatch;
import io.sluice.service.local.Service;
import io.sluice.service.local.StateLock;
import io.sluice.service.seal.SealThread;
import io.sluice.service.supervise.Backoff;
import io.sluice.service.supervise.LongWait;
import io.sluice.service.supervise.Supervised;
import io.sluice.service.supervise.SupervisedProcess;
import io.sluice.service.supervise.Supervisor;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Sluice on one machine as a cluster of processes: brokers (unless some are given), a job manager
 * and task managers, each started again when it ends. The job manager keeps nothing: this process
 * gives it MixJob and a PrepareJob for every dataset, from their latest checkpoints, whenever it
 * has lost them. Started again on its state directory it goes on where it was.
 */
public final class ClusterService implements Service {
  /** A broker that has died as often before it answers does not start. */
  private static final int DEATHS = 3;

  private static final Duration LONGEST_JOB_PAUSE = Duration.ofSeconds(2);

  private final OpenParts parts = new OpenParts();
  private final ClusterSettings settings;
  private final Supervisor supervisor;
  private final List<Broker> brokers = new ArrayList<>();
  private final KafkaAccess access;
  private final Path flinkDirectory;
  private final URI page;
  private final SupervisedProcess jobManager;
  private final List<SupervisedProcess> taskManagers = new ArrayList<>();
  private final ClusterJobs jobs;
  private final RestartWatch restarts;
  private WantedJob mix;

  /**
   * A broker that this service runs.
   *
   * @param log directory of its log
   */
  public record Broker(SupervisedProcess process, Path log) {}

  private ClusterService(ClusterSettings settings, Surroundings around, Consumer<String> events) {
    this.settings = settings;
    this.restarts = new RestartWatch("mixing", events);
    try {
      Path directory = settings.service().stateDirectory();
      parts.add(StateLock.take(directory));
      supervisor =
          parts.add(
              new Supervisor(
                  directory,
                  around.environment(),
                  patienceWith(settings.brokers()),
                  Backoff.STANDARD,
                  InstantSource.system(),
                  events));
      LongWait wait = new LongWait(events);
      access = settings.service().kafka().orElseGet(() -> startBrokers(around.told(), wait));
      String clusterId = KafkaCluster.open(access, () -> !brokers.isEmpty() && brokersLive(), wait);
      events.accept("Kafka on " + access.bootstrapServers() + ", state in " + directory);
      flinkDirectory = directory.resolve("flink").resolve(clusterId);
      FlinkProcesses flink =
          new FlinkProcesses(
              settings, around.told(), directory.resolve("flink"), supervisor.logs());
      jobManager = supervisor.start(flink.jobManager());
      for (int number = 1; number <= settings.taskManagers(); number++) {
        taskManagers.add(supervisor.start(flink.taskManager(number)));
      }
      parts.add(this::stopFlink);
      FlinkRest rest = parts.add(new FlinkRest(flink.options()));
      page = URI.create(FlinkOptions.rest(flink.options()));
      jobs = parts.add(ClusterJobs.start(rest, graphs(), events));
      mix = jobs.run(mixName(), mixing(settings.parallelism()));
      jobs.awaitRunning(mix, wait);
      events.accept("mixing");
      DatasetJobs datasets = new DatasetJobs(jobs, access, settings.preparation(), events);
      RefineJobs refining = new RefineJobs(jobs, access, settings.preparation(), events);
      SealThread sealing = parts.add(SealThread.start(access, clusterId, events));
      parts.add(DatasetWatch.start(access, datasets, refining, sealing, events));
    } catch (RuntimeException | Error e) {
      parts.closeThoughInterrupted();
      throw e;
    }
  }

  /**
   * Starts the cluster and waits until MixJob runs.
   *
   * @param events told, in a sentence, what happens
   * @throws io.sluice.control.error.BadInputException if the state directory or the port cannot be
   *     used
   * @throws io.sluice.control.error.UnreachableException if the broker or the job does not start
   */
  public static ClusterService start(ClusterSettings settings, Consumer<String> events) {
    return start(settings, Surroundings.NONE, events);
  }

  /** The same with something around the processes. */
  public static ClusterService start(
      ClusterSettings settings, Surroundings around, Consumer<String> events) {
    return new ClusterService(settings, around, events);
  }

  @Override
  public KafkaAccess access() {
    return access;
  }

  @Override
  public URI flinkRest() {
    return page;
  }

  /** Nothing ends for good: what ends is started again. */
  @Override
  public void requireRunning() {
    restarts.look(mix, System.nanoTime());
  }

  /** The brokers; none when one was given. */
  public List<Broker> brokers() {
    return List.copyOf(brokers);
  }

  /** The job manager. */
  public SupervisedProcess jobManager() {
    return jobManager;
  }

  /** The task managers. */
  public List<SupervisedProcess> taskManagers() {
    return List.copyOf(taskManagers);
  }

  /** Runs one more process for as long as the service lives, or until it is stopped. */
  public SupervisedProcess supervise(Supervised process) {
    return supervisor.start(process);
  }

  /** Stops a process that {@link #supervise} started for good, at once but for its last words. */
  public void release(SupervisedProcess process) {
    supervisor.stop(process, Duration.ZERO);
  }

  private Stream<SupervisedProcess> processes() {
    return Stream.concat(
        Stream.concat(brokers.stream().map(Broker::process), Stream.of(jobManager)),
        taskManagers.stream());
  }

  /** Whether every process and every task of MixJob runs. */
  public boolean isMixing() {
    return processes().allMatch(SupervisedProcess::isAlive) && jobs.isRunning(mix);
  }

  /** Lets the processes that have not run here before begin anew, as ones that have. */
  public void renew() {
    processes().forEach(SupervisedProcess::renew);
  }

  /**
   * Starts a second MixJob on the same topics, without any state, beside the one that is looked
   * after; close it to end it.
   */
  public AutoCloseable secondMixJob() {
    return jobs.runUntended(mixName() + "-second", mixing(1));
  }

  /** Cancels MixJob and starts it from its latest checkpoint with another parallelism. */
  public void restartMix(int parallelism) {
    mix.cancel();
    mix = jobs.run(mixName(), mixing(parallelism));
  }

  /** Cancels MixJob and starts it from no state at all. */
  public void restartMixAfresh(int parallelism) {
    mix = jobs.restartAfresh(mix, mixing(parallelism));
  }

  /** Stops MixJob with a savepoint and starts it from there with another parallelism. */
  public void restartMixFromSavepoint(int parallelism) {
    mix = jobs.restartFromSavepoint(mix, flinkDirectory.resolve("savepoints"), mixing(parallelism));
  }

  /**
   * Stops the processes, the broker in order and the others at once but for their last words; all
   * state is on disk.
   */
  @Override
  public void close() {
    parts.close();
  }

  private void stopFlink() {
    taskManagers.forEach(taskManager -> supervisor.stop(taskManager, Duration.ZERO));
    supervisor.stop(jobManager, Duration.ZERO);
  }

  private boolean brokersLive() {
    return brokers.stream().noneMatch(broker -> broker.process().restarts() >= DEATHS);
  }

  private KafkaAccess startBrokers(IntUnaryOperator told, LongWait wait) {
    List<BrokerProgram> programs =
        BrokerProgram.in(
            settings.service().stateDirectory().resolve("kafka"),
            settings.service().port(),
            settings.brokers(),
            settings.memory().broker().getMebiBytes(),
            told);
    for (BrokerProgram program : programs) {
      String name = programs.size() == 1 ? "broker" : "broker-" + (brokers.size() + 1);
      SupervisedProcess process = supervisor.start(Supervised.of(name, program.process()));
      brokers.add(new Broker(process, program.log()));
    }
    parts.add(this::stopBrokers);
    String bootstrap =
        programs.stream().map(BrokerProgram::bootstrapServers).collect(Collectors.joining(","));
    BrokerProbe.requireReady(
        bootstrap, brokers.size(), this::brokersLive, brokers.get(0).process().output(), wait);
    return new KafkaAccess(bootstrap, settings.service().topics(), Map.of());
  }

  private void stopBrokers() {
    Duration patience = patienceWith(brokers.size());
    brokers.forEach(broker -> supervisor.stop(broker.process(), patience));
  }

  /** One broker ends in order; of several the last one would wait for those that have gone. */
  private static Duration patienceWith(int brokers) {
    return brokers == 1 ? BrokerProgram.ORDERLY_STOP : Duration.ZERO;
  }

  private JobGraphs graphs() {
    return new JobGraphs(
        FlinkSettings.in(flinkDirectory)
            .withCheckpointInterval(settings.service().checkpointInterval()),
        LONGEST_JOB_PAUSE);
  }

  private String mixName() {
    return access.topics().prefix() + "mix";
  }

  private Consumer<StreamExecutionEnvironment> mixing(int parallelism) {
    StreamSinkSettings streams =
        StreamSinkSettings.defaults().withDeliveryTimeout(settings.deliveryTimeout());
    return env -> {
      env.setParallelism(parallelism);
      MixJob.build(env, access, streams);
    };
  }
}
