package io.sluice.service.broker;

import io.sluice.service.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;

/** Three brokers, with ids from 1 to 3, that keep three copies of everything. */
public final class ThreeBrokers implements AutoCloseable {
  private static final int HEAP_MIB = 256;

  private final List<BrokerProgram> programs;
  private final List<Process> processes = new ArrayList<>();

  /** Starts them and waits until they know each other. */
  public ThreeBrokers(Path directory) {
    programs = BrokerProgram.in(directory, 0, 3, HEAP_MIB, IntUnaryOperator.identity());
    programs.forEach(program -> processes.add(start(program)));
    awaitAll();
  }

  /** What a Kafka client starts from. */
  public String bootstrapServers() {
    return programs.stream().map(BrokerProgram::bootstrapServers).collect(Collectors.joining(","));
  }

  /** Ends a broker as a crash would. */
  public void kill(int id) {
    processes.get(id - 1).destroyForcibly().onExit().join();
  }

  /** Starts one that was killed, and waits until the others know it. */
  public void restart(int id) {
    processes.set(id - 1, start(programs.get(id - 1)));
    awaitAll();
  }

  /**
   * Gives every topic its brokers, the first of which leads it; one of a single broker is written
   * without others.
   *
   * @param brokers of a topic by its name, some of 1 to 3
   */
  public void place(Function<String, List<Integer>> brokers) {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()))) {
      Map<TopicPartition, Optional<NewPartitionReassignment>> places = new HashMap<>();
      var topics = admin.listTopics(new ListTopicsOptions().listInternal(true)).names().get();
      for (TopicDescription topic : admin.describeTopics(topics).allTopicNames().get().values()) {
        List<Integer> wanted = brokers.apply(topic.name());
        for (int p = 0; p < topic.partitions().size(); p++) {
          places.put(
              new TopicPartition(topic.name(), p),
              Optional.of(new NewPartitionReassignment(wanted)));
        }
        if (wanted.size() == 1) {
          admin.incrementalAlterConfigs(writtenAlone(topic.name())).all().get();
        }
      }
      admin.alterPartitionReassignments(places).all().get();
      Patience.await(Patience.MINUTE, () -> moving(admin), Map::isEmpty);
      admin.electLeaders(ElectionType.PREFERRED, places.keySet()).partitions().get();
    } catch (ExecutionException | InterruptedException e) {
      throw new IllegalStateException("cannot move the topics", e);
    }
  }

  private static Map<ConfigResource, Collection<AlterConfigOp>> writtenAlone(String topic) {
    return Map.of(
        new ConfigResource(ConfigResource.Type.TOPIC, topic),
        List.of(
            new AlterConfigOp(
                new ConfigEntry("min.insync.replicas", "1"), AlterConfigOp.OpType.SET)));
  }

  private static Map<TopicPartition, ?> moving(Admin admin) {
    try {
      return admin.listPartitionReassignments().reassignments().get();
    } catch (ExecutionException | InterruptedException e) {
      throw new IllegalStateException("cannot ask what is moved", e);
    }
  }

  private static Process start(BrokerProgram program) {
    try {
      return program
          .process()
          .builder(List.of())
          .redirectOutput(program.home().resolve("broker.log").toFile())
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start the broker in " + program.home(), e);
    }
  }

  private void awaitAll() {
    BrokerProbe.requireReady(
        bootstrapServers(),
        programs.size(),
        Patience.MINUTE,
        () -> processes.stream().allMatch(Process::isAlive),
        programs.get(0).home().resolve("broker.log"));
  }

  /** Kills them: the last one would wait in order for those that have gone. */
  @Override
  public void close() {
    processes.forEach(process -> process.destroyForcibly().onExit().join());
  }
}
