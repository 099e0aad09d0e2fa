package io.sluice.cli.upgrade;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.sluice.cli.flink.FlinkRest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** What answers as Flink's REST interface does, or as it should not, by a script. */
public final class TestingFlink implements AutoCloseable {
  static final String MIX = "a".repeat(32);
  static final String NEXT = "b".repeat(32);
  static final String REQUEST = "c".repeat(32);

  /** Questions in their order, as 'GET /config'. */
  final List<String> asked = new CopyOnWriteArrayList<>();

  /** Bodies of the questions that have one. */
  final List<String> bodies = new CopyOnWriteArrayList<>();

  private final HttpServer server;
  private final Map<String, Deque<Answer>> answers = new ConcurrentHashMap<>();

  private record Answer(int status, String body) {}

  public TestingFlink() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  public String url() {
    return "http://localhost:" + server.getAddress().getPort();
  }

  FlinkCluster cluster() {
    return new FlinkCluster(rest());
  }

  public FlinkRest rest() {
    return new FlinkRest(url(), Duration.ofSeconds(30));
  }

  /** Adds an answer to a question; the last one is given again and again. */
  public TestingFlink says(String question, int status, String body) {
    answers.computeIfAbsent(question, any -> new ArrayDeque<>()).add(new Answer(status, body));
    return this;
  }

  public TestingFlink says(String question, String body) {
    return says(question, 200, body);
  }

  /** A Flink of a version with one job of Sluice, which runs and has completed a checkpoint. */
  TestingFlink mixes(String flink, String release, String arguments) {
    says("GET /config", "{\"flink-version\": \"" + flink + "\"}");
    says("GET /jobs/overview", "{\"jobs\": [" + job(MIX, "sluice mix", "RUNNING") + "]}");
    says(
        "GET /jobs/" + MIX + "/config",
        "{\"execution-config\": {\"user-config\": {\"sluice.version\": \"%s\", \"sluice.arguments\": \"%s\"}}}"
            .formatted(release, arguments.replace("\"", "\\\"")));
    says("GET /jobs/" + MIX, standing("RUNNING", 2, 2));
    says("GET /jobs/" + MIX + "/exceptions", "{}");
    says("GET /jobs/" + MIX + "/checkpoints", "{\"counts\": {\"completed\": 4}}");
    says(
        "GET /jobmanager/config",
        "[{\"key\": \"state.savepoints.dir\", \"value\": \"file:///savepoints\"},"
            + " {\"key\": \"state.checkpoints.dir\", \"value\": \"file:///checkpoints\"}]");
    says("GET /overview", slots(4, 2));
    return this;
  }

  /** Takes a jar, plans the jobs of it, and removes it. */
  TestingFlink plans(int parallelism) {
    says("POST /jars/upload", "{\"filename\": \"/tmp/x/7_x.jar\"}");
    says("POST /jars/7_x.jar/plan", plan(parallelism));
    says("DELETE /jars/7_x.jar", "{}");
    return this;
  }

  static String slots(int total, int available) {
    return "{\"slots-total\": %d, \"slots-available\": %d}".formatted(total, available);
  }

  /** The plan of a job of which one operator has all its parallelism. */
  private static String plan(int parallelism) {
    return "{\"plan\": {\"name\": \"sluice mix\", \"nodes\": [{\"parallelism\": 1}, {\"parallelism\": %d}]}}"
        .formatted(parallelism);
  }

  static String job(String id, String name, String state) {
    return "{\"jid\": \"%s\", \"name\": \"%s\", \"state\": \"%s\"}".formatted(id, name, state);
  }

  /** A job with one operator. */
  static String standing(String state, int parallelism, int running) {
    return "{\"state\": \"%s\", \"vertices\": [{\"parallelism\": %d, \"tasks\": {\"RUNNING\": %d, \"FINISHED\": 0}}]}"
        .formatted(state, parallelism, running);
  }

  /** A jar of the jobs with nothing in it but what it says of itself. */
  static JobsJar jar(Path folder, String release, String flink) throws IOException {
    Path file = folder.resolve("sluice-jobs-" + release + "-flink.jar");
    Manifest manifest = new Manifest();
    Attributes said = manifest.getMainAttributes();
    said.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    said.put(Attributes.Name.IMPLEMENTATION_VERSION, release);
    said.putValue("Sluice-Flink-Version", flink);
    new JarOutputStream(Files.newOutputStream(file), manifest).close();
    return JobsJar.read(file);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String question = exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath();
    asked.add(question);
    byte[] sent = exchange.getRequestBody().readAllBytes();
    if (sent.length > 0) {
      bodies.add(new String(sent, StandardCharsets.ISO_8859_1));
    }
    Answer next = next(question);
    byte[] body = next.body().getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(next.status(), body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private synchronized Answer next(String question) {
    Deque<Answer> left = answers.getOrDefault(question, new ArrayDeque<>());
    Answer none = new Answer(404, "{\"errors\": [\"Not found: " + question + "\"]}");
    return left.size() > 1 ? left.remove() : left.isEmpty() ? none : left.element();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
