package io.sluice.cli.stock;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.service.Patience;
import io.sluice.service.broker.EmbeddedBroker;
import io.sluice.service.broker.Ports;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Flink as it is: ZooKeeper, a job manager and task managers, each a process of Flink's own main
 * class with Flink's own artifacts on its path, and its command-line client. The artifacts are
 * those of the build, or a distribution's, whose folder {@code sluice.flink} names.
 */
final class StockFlink implements AutoCloseable {
  private static final Duration IDLE = Duration.ofMinutes(2);

  /** Of what a build has on its path, what Flink's distribution has, too. */
  private static final Pattern FLINKS_OWN =
      Pattern.compile(
          ".*/(org/apache/flink/(?!flink-connector-kafka|flink-test).*"
              + "|com/esotericsoftware/.*|org/objenesis/.*|com/ververica/.*|org/snakeyaml/.*"
              + "|org/javassist/.*|commons-(cli|collections|io)/.*"
              + "|org/apache/commons/(commons-(lang3|text|math3|compress))/.*"
              + "|org/apache/logging/log4j/.*|org/slf4j/slf4j-api/.*|tools/profiler/.*"
              + "|at/yawk/lz4/.*|org/xerial/snappy/.*)\\.jar");

  private final Path directory;
  private final Path conf;
  private final int rest = Ports.free();
  private final Map<String, Process> processes = new TreeMap<>();
  private int started;

  /** The jar that the build makes for Flink's own distribution. */
  static String jar() throws IOException {
    try (Stream<Path> built = Files.list(Path.of("../../flink-jobs/jobs/target"))) {
      return built
          .filter(file -> file.toString().endsWith("-flink.jar"))
          .findFirst()
          .orElseThrow()
          .toRealPath()
          .toString();
    }
  }

  /** Processes that do not run yet. */
  StockFlink(Path directory, Map<String, String> more) throws IOException {
    this.directory = directory;
    this.conf = Files.createDirectories(directory.resolve("conf"));
    Map<String, String> options = new LinkedHashMap<>();
    options.put("jobmanager.rpc.address", EmbeddedBroker.HOST);
    options.put("jobmanager.bind-host", EmbeddedBroker.HOST);
    options.put("taskmanager.host", EmbeddedBroker.HOST);
    options.put("taskmanager.bind-host", EmbeddedBroker.HOST);
    options.put("rest.address", EmbeddedBroker.HOST);
    options.put("rest.bind-address", EmbeddedBroker.HOST);
    options.put("rest.port", Integer.toString(rest));
    options.put("taskmanager.numberOfTaskSlots", "8");
    options.put("io.tmp.dirs", Files.createDirectories(directory.resolve("tmp")).toString());
    options.put("heartbeat.interval", "1 s");
    options.put("heartbeat.timeout", "8 s");
    options.putAll(more);
    List<String> lines = new ArrayList<>();
    options.forEach((key, value) -> lines.add(key + ": '" + value + "'"));
    Files.write(conf.resolve("config.yaml"), lines);
  }

  /** Starts ZooKeeper, and names it in a map of options. */
  static Map<String, String> highlyAvailable(Path directory, int port) {
    Map<String, String> options = new HashMap<>();
    options.put("high-availability.type", "zookeeper");
    options.put("high-availability.zookeeper.quorum", EmbeddedBroker.HOST + ":" + port);
    options.put("high-availability.zookeeper.client.session-timeout", "8 s");
    options.put("high-availability.storageDir", directory.resolve("ha").toUri().toString());
    return options;
  }

  void startZooKeeper(int port) throws IOException {
    Path data = Files.createDirectories(directory.resolve("zookeeper"));
    Path file = directory.resolve("zoo.cfg");
    Files.write(
        file,
        List.of(
            "tickTime=2000",
            "initLimit=10",
            "syncLimit=5",
            "dataDir=" + data,
            "clientPort=" + port,
            "clientPortAddress=" + EmbeddedBroker.HOST,
            "admin.enableServer=false",
            "server.1=" + EmbeddedBroker.HOST + ":" + Ports.free() + ":" + Ports.free()));
    Process zooKeeper =
        start(
            "zookeeper",
            List.of("-Xmx128m"),
            "org.apache.flink.runtime.zookeeper.FlinkZooKeeperQuorumPeer",
            "--zkConfigFile",
            file.toString(),
            "--peerId",
            "1");
    Patience.await(IDLE, () -> !zooKeeper.isAlive() || listens(port));
    assertThat(zooKeeper.isAlive()).as(log("zookeeper")).isTrue();
  }

  /** Address of its REST interface. */
  String url() {
    return "http://" + EmbeddedBroker.HOST + ":" + rest;
  }

  void startJobManager() throws IOException {
    start(
        "job-manager",
        List.of("-Xmx384m", "-XX:TieredStopAtLevel=1"),
        "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint",
        "--configDir",
        conf.toString());
  }

  void startTaskManager(String name) throws IOException {
    start(
        name,
        List.of("-Xmx640m", "-XX:MaxDirectMemorySize=256m"),
        "org.apache.flink.runtime.taskexecutor.TaskManagerRunner",
        "--configDir",
        conf.toString(),
        "-Dtaskmanager.memory.framework.heap.size=64m",
        "-Dtaskmanager.memory.framework.off-heap.size=64m",
        "-Dtaskmanager.memory.jvm-metaspace.size=256m",
        "-Dtaskmanager.memory.jvm-overhead.min=192m",
        "-Dtaskmanager.memory.jvm-overhead.max=192m",
        "-Dtaskmanager.memory.task.heap.size=400m",
        "-Dtaskmanager.memory.task.off-heap.size=64m",
        "-Dtaskmanager.memory.managed.size=128m",
        "-Dtaskmanager.memory.network.min=64m",
        "-Dtaskmanager.memory.network.max=64m",
        "-Dtaskmanager.cpu.cores=2");
  }

  /** Ends a process as a machine that is switched off does. */
  void kill(String name) {
    processes.remove(name).destroyForcibly().onExit().join();
  }

  /** Waits until every task of a job runs: before that Flink takes no savepoint. */
  void awaitTasks(String job) {
    Patience.await(IDLE, () -> statesOfTasks(job).equals(Set.of("RUNNING")));
  }

  /** Empty while the job manager does not answer, or does not know the job yet. */
  private Set<String> statesOfTasks(String job) {
    Set<String> states = new TreeSet<>();
    URI address = URI.create(url() + "/jobs/" + job);
    try (InputStream answer = address.toURL().openStream()) {
      JsonNode vertices = new ObjectMapper().readTree(answer).path("vertices");
      for (JsonNode count : vertices.findValues("tasks")) {
        count.properties().stream()
            .filter(state -> state.getValue().asInt() > 0)
            .forEach(state -> states.add(state.getKey()));
      }
    } catch (IOException e) {
      return Set.of();
    }
    return states;
  }

  /** What Flink's client says to a command that succeeds. */
  String flink(String... arguments) throws IOException {
    Ran ran = run(arguments);
    assertThat(ran.exit()).as(ran.said()).isZero();
    return ran.said();
  }

  /**
   * A run of Flink's client.
   *
   * @param said on both its outputs
   */
  record Ran(int exit, String said) {}

  /** Runs Flink's client to its end. */
  Ran run(String... arguments) throws IOException {
    String name = "client-" + ++started;
    Process client =
        start(
            name,
            List.of("-Xmx384m", "-XX:TieredStopAtLevel=1"),
            "org.apache.flink.client.cli.CliFrontend",
            arguments);
    int exit = client.onExit().join().exitValue();
    processes.remove(name);
    return new Ran(exit, log(name));
  }

  /** What a process has printed. */
  String log(String name) throws IOException {
    return Files.readString(directory.resolve(name + ".log"));
  }

  private Process start(String name, List<String> jvm, String main, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "-Dlog4j2.level=INFO",
            "-Dlog4j2.configurationFile=" + logging()));
    command.addAll(jvm);
    command.add(main);
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().remove("JDK_JAVA_OPTIONS");
    builder.environment().put("CLASSPATH", classPath());
    builder.environment().put("FLINK_CONF_DIR", conf.toString());
    builder.redirectOutput(
        ProcessBuilder.Redirect.appendTo(directory.resolve(name + ".log").toFile()));
    Process process = builder.start();
    processes.put(name, process);
    return process;
  }

  private Path logging() throws IOException {
    return Files.writeString(
        directory.resolve("log4j2.properties"),
        "rootLogger.level=INFO\nrootLogger.appenderRef.c.ref=c\nappender.c.name=c\n"
            + "appender.c.type=CONSOLE\nappender.c.layout.type=PatternLayout\n"
            + "appender.c.layout.pattern=%d{HH:mm:ss,SSS} %-5p %c - %m%n\n");
  }

  static String classPath() throws IOException {
    String distribution = System.getProperty("sluice.flink", "");
    if (distribution.isEmpty()) {
      return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
          .filter(entry -> FLINKS_OWN.matcher(entry).matches())
          .collect(Collectors.joining(File.pathSeparator));
    }
    try (Stream<Path> jars = Files.list(Path.of(distribution, "lib"))) {
      return jars.map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }
  }

  private static boolean listens(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() {
    processes.values().forEach(process -> process.destroyForcibly().onExit().join());
  }
}
