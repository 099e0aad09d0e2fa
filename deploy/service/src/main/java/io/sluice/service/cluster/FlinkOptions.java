package io.sluice.service.cluster;

import io.sluice.service.broker.EmbeddedBroker;
import io.sluice.service.broker.Ports;
import io.sluice.service.flink.FlinkPage;
import io.sluice.service.flink.FlinkSecurity;
import io.sluice.service.flink.JobGraphs;
import java.time.Duration;
import java.util.function.IntUnaryOperator;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ClusterOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.HeartbeatManagerOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.configuration.WebOptions;
import org.apache.flink.state.rocksdb.RocksDBOptions;

/** Flink's own options of a cluster of processes. */
final class FlinkOptions {
  private static final String HOST = EmbeddedBroker.HOST;
  private static final TaskManagerOptions.TaskManagerLoadBalanceMode BALANCED =
      TaskManagerOptions.TaskManagerLoadBalanceMode.SLOTS;

  private FlinkOptions() {}

  static Configuration of(ClusterSettings settings, IntUnaryOperator told) {
    Configuration c = new Configuration();
    addresses(c, told);
    memory(c, settings.memory());
    failures(c);
    c.set(TaskManagerOptions.NUM_TASK_SLOTS, ClusterSettings.SLOTS);
    c.set(TaskManagerOptions.TASK_MANAGER_LOAD_BALANCE_MODE, BALANCED);
    c.set(WebOptions.SUBMIT_ENABLE, false);
    c.set(CheckpointingOptions.MAX_RETAINED_CHECKPOINTS, JobGraphs.RETAINED_CHECKPOINTS);
    settings.flink().forEach(c::setString);
    return c;
  }

  /** Address of Flink's REST interface under these options. */
  static String rest(Configuration c) {
    return "http://" + c.get(RestOptions.ADDRESS) + ":" + c.get(RestOptions.PORT);
  }

  private static void addresses(Configuration c, IntUnaryOperator told) {
    c.set(JobManagerOptions.ADDRESS, HOST);
    int port = Ports.free();
    c.set(JobManagerOptions.PORT, told.applyAsInt(port));
    c.set(JobManagerOptions.RPC_BIND_PORT, port);
    c.set(JobManagerOptions.BIND_HOST, HOST);
    c.set(TaskManagerOptions.HOST, HOST);
    c.set(TaskManagerOptions.BIND_HOST, HOST);
    int rest = Ports.free();
    c.set(RestOptions.ADDRESS, HOST);
    c.set(RestOptions.BIND_ADDRESS, HOST);
    c.set(RestOptions.PORT, rest);
    c.set(RestOptions.BIND_PORT, Integer.toString(rest));
    FlinkPage.onlyToLookAt(c);
    FlinkSecurity.withoutHadoop(c);
  }

  private static void memory(Configuration c, ProcessMemory memory) {
    c.set(JobManagerOptions.TOTAL_PROCESS_MEMORY, memory.jobManager());
    c.set(TaskManagerOptions.TOTAL_PROCESS_MEMORY, memory.taskManager());
    // RocksDB gets the managed memory's size, one part for all slots: a slot's part would be too
    // small for one memtable. It does so only where it declines the managed memory itself.
    c.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(128));
    c.set(RocksDBOptions.FIX_PER_TM_MEMORY_SIZE, MemorySize.ofMebiBytes(128));
    c.set(RocksDBOptions.USE_MANAGED_MEMORY, false);
    c.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(64));
    c.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(64));
  }

  /** A lost process is noticed within seconds, and its successor is let in at once. */
  private static void failures(Configuration c) {
    c.set(HeartbeatManagerOptions.HEARTBEAT_INTERVAL, Duration.ofMillis(300));
    c.set(HeartbeatManagerOptions.HEARTBEAT_TIMEOUT, Duration.ofMillis(2500));
    c.set(HeartbeatManagerOptions.HEARTBEAT_RPC_FAILURE_THRESHOLD, 2);
    c.set(ClusterOptions.MAX_REGISTRATION_TIMEOUT, Duration.ofSeconds(2));
    c.set(ClusterOptions.ERROR_REGISTRATION_DELAY, Duration.ofMillis(100));
    c.set(ClusterOptions.REFUSED_REGISTRATION_DELAY, Duration.ofMillis(500));
    // Who has found a job manager that dies before it is registered asks the dead one for ever.
    // This ends the process, and its next life looks anew.
    c.set(TaskManagerOptions.REGISTRATION_TIMEOUT, Duration.ofSeconds(30));
  }
}
