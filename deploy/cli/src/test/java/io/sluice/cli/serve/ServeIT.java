package io.sluice.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cli.TestingSluice;
import io.sluice.cli.dataset.ApplyDataset;
import io.sluice.cli.loop.ScriptedTrainer;
import io.sluice.cli.loop.Testbed;
import io.sluice.client.run.RunInfo;
import io.sluice.control.history.RunHistory;
import io.sluice.control.targets.LossHistory;
import io.sluice.control.targets.RunLosses;
import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.schema.KafkaAccess;
import io.sluice.service.Patience;
import io.sluice.service.local.LocalService;
import io.sluice.service.local.LocalSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code sluice serve} says of a service, to whom, and what it lets be done. */
class ServeIT {
  private static final String TOKEN = "a-token-of-some-length";
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final Duration MOMENT = Duration.ofSeconds(20);

  private static final List<TestingSluice.Said> SAID = new CopyOnWriteArrayList<>();

  @TempDir private static Path directory;

  private static LocalService service;
  private static KafkaAccess kafka;
  private static Testbed bed;
  private static RunInfo run;
  private static Thread command;
  private static URI address = URI.create("http://127.0.0.1/");

  @BeforeAll
  static void start() throws IOException {
    service = LocalService.start(LocalSettings.in(directory.resolve("up")), said -> {});
    kafka = service.access();
    TestingSluice sluice = new TestingSluice(kafka, directory);
    bed = new Testbed(kafka);
    ApplyDataset.apply(kafka, bed.dataset);
    bed.fill();
    run = bed.start(bed.velocitune("velo", 400));
    try (ScriptedTrainer trainer = new ScriptedTrainer(kafka, run)) {
      trainer.train(30, 10, ServeIT::losses);
    }
    Path token = Files.writeString(directory.resolve("token"), TOKEN + "\n");
    Path ready = directory.resolve("ready");
    command =
        new Thread(
            () ->
                SAID.add(
                    sluice.run(
                        "serve",
                        "--port",
                        "0",
                        "--token-file",
                        token.toString(),
                        "--ready-file",
                        ready.toString())));
    command.start();
    address =
        URI.create(Patience.await(MOMENT, () -> read(ready), text -> !text.isEmpty()).strip());
  }

  private static double losses(long step, String domain) {
    return 4.0 / (1 + step * domain.length() / 100.0);
  }

  private static String read(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterAll
  static void stop() throws InterruptedException {
    command.interrupt();
    command.join(MOMENT.toMillis());
    service.close();
  }

  private static HttpResponse<String> get(String path) {
    return send(HttpRequest.newBuilder(address.resolve(path)));
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static JsonNode json(String path) {
    HttpResponse<String> answer = get("/api/v1" + path);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return parsed(answer);
  }

  private static JsonNode parsed(HttpResponse<String> answer) {
    try {
      return new ObjectMapper().readTree(answer.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static HttpRequest.Builder post(String path, String body) {
    return HttpRequest.newBuilder(address.resolve("/api/v1" + path))
        .header("Content-Type", "application/json")
        .header("Authorization", "Bearer " + TOKEN)
        .POST(HttpRequest.BodyPublishers.ofString(body));
  }

  @Test
  void aRunIsThereWithWhatItsLogAndItsTrainersSay() {
    JsonNode all = json("/runs");
    assertThat(all.at("/service/away").asText("none")).isEmpty();
    assertThat(all.path("runs").findValuesAsText("runId")).contains(run.runId());
    RunHistory history = RunHistory.read(kafka, "velo");
    JsonNode shown = json("/runs/" + run.runId());
    assertThat(shown.path("granted").asLong()).isEqualTo(history.state().position().granted());
    for (JsonNode domain : shown.path("domains")) {
      int place = history.spec().getDomains().indexOf(domain.path("name").asText());
      assertThat(domain.path("weight").asDouble())
          .isEqualTo(history.state().decided().share(place));
      assertThat(domain.path("sequences").asLong()).isEqualTo(history.sequences()[place]);
      assertThat(domain.at("/prepared/sequences").asLong()).isPositive();
    }
    assertThat(json("/datasets").at("/datasets/0/domains")).hasSize(shown.path("domains").size());
  }

  @Test
  void itsCourseIsThatOfItsHistory() {
    RunHistory history = RunHistory.read(kafka, "velo");
    JsonNode course = json("/runs/" + run.runId() + "/course");
    List<String> domains = history.spec().getDomains();
    List<String> columns = new ArrayList<>();
    course.path("columns").forEach(each -> columns.add(each.asText()));
    assertThat(columns).isEqualTo(domains);
    List<RunHistory.Version> versions = history.versions();
    JsonNode weights = course.path("weights");
    assertThat(weights.path("batches")).hasSize(versions.size());
    for (int i = 0; i < versions.size(); i++) {
      assertThat(weights.path("batches").get(i).asLong())
          .isEqualTo(versions.get(i).firstBatch() - 1);
      for (int domain = 0; domain < domains.size(); domain++) {
        assertThat(weights.path("values").get(domain).get(i).asDouble())
            .isCloseTo(versions.get(i).weights().share(domain), within(1e-7));
      }
    }
    List<Grant> grants = history.grants();
    JsonNode realised = course.path("realised");
    assertThat(realised.path("batches")).hasSize(grants.size());
    for (int i = 0; i < grants.size(); i++) {
      assertThat(realised.path("batches").get(i).asLong()).isEqualTo(grants.get(i).after());
      long[] counted = new long[domains.size()];
      int[] counts = grants.get(i).counts();
      for (int count = 0; count < counts.length; count++) {
        counted[count % counted.length] += counts[count];
      }
      long all = LongStream.of(counted).sum();
      for (int domain = 0; domain < counted.length; domain++) {
        assertThat(realised.path("values").get(domain).get(i).asDouble())
            .isCloseTo((double) counted[domain] / all, within(1e-6));
      }
    }
    List<String> rounds = new ArrayList<>();
    course
        .path("notes")
        .forEach(
            note -> {
              if (note.path("kind").asText().equals("round")) {
                rounds.add(note.path("text").asText());
              }
            });
    assertThat(rounds).hasSize(history.rounds().size()).contains("round 1");
    LossHistory losses = RunLosses.read(kafka, "velo");
    JsonNode measured = course.path("losses");
    assertThat(measured.path("batches")).hasSize(losses.losses().size());
    int row = 0;
    for (double[] each : losses.losses().values()) {
      for (int domain = 0; domain < each.length; domain++) {
        assertThat(measured.path("values").get(domain).get(row).floatValue())
            .isEqualTo((float) each[domain]);
      }
      row++;
    }
    JsonNode few = json("/runs/" + run.runId() + "/course?top=1");
    assertThat(few.path("others").asInt()).isEqualTo(domains.size() - 1);
    JsonNode last = few.at("/weights/values");
    assertThat(last.get(0).get(0).asDouble() + last.get(1).get(0).asDouble())
        .isCloseTo(1, within(1e-6));
    String csv = get("/api/v1/runs/" + run.runId() + "/course.csv").body();
    assertThat(csv.lines().filter(line -> line.contains(",weight,")))
        .hasSize(versions.size() * domains.size());
  }

  @Test
  void whatDoesNotExistOrIsNoNumberIsRefusedByName() {
    assertThat(get("/api/v1/runs/nobody.1234").statusCode()).isEqualTo(404);
    assertThat(get("/api/v1/runs/..%2F..%2Fetc/course").statusCode()).isBetween(400, 404);
    assertThat(get("/page/../openapi.yaml").statusCode()).isBetween(400, 404);
    assertThat(get("/page/%2e%2e/openapi.yaml").statusCode()).isBetween(400, 404);
    assertThat(get("/api/v1/runs/" + run.runId() + "/course?top=0").body())
        .contains("top must be in [1, 256]: 0");
    assertThat(get("/api/v1/runs/" + run.runId() + "/course?by=%3Cb%3E").body())
        .contains("by must be one of weight, change, gap");
  }

  @Test
  void metricsAreOfTheRunsThatGoOn() {
    String metrics =
        Patience.await(
            MOMENT, () -> get("/metrics").body(), text -> text.contains("sluice_domain_weight{"));
    RunHistory history = RunHistory.read(kafka, "velo");
    for (int i = 0; i < history.spec().getDomains().size(); i++) {
      assertThat(metrics)
          .contains(
              "sluice_domain_weight{domain=\"%s\",run=\"velo\",run_id=\"%s\"} %s"
                  .formatted(
                      history.spec().getDomains().get(i),
                      run.runId(),
                      history.state().decided().share(i)));
    }
    assertThat(metrics).contains("sluice_kafka_answers 1.0", "sluice_domain_left_sequences{");
  }

  @Test
  void onlyWhoHasTheTokenChangesARun() {
    String path = "/runs/" + run.runId() + "/phase";
    String body = "{\"phase\": \"paused\", \"reason\": \"a look\"}";
    assertThat(send(post(path, body).setHeader("Authorization", "Bearer other")).statusCode())
        .isEqualTo(401);
    HttpResponse<String> foreign =
        send(post(path, body).setHeader("Origin", "https://elsewhere.example"));
    assertThat(foreign.statusCode()).isEqualTo(403);
    assertThat(foreign.body()).contains("another site's page asks");
    assertThat(send(post(path, body).setHeader("Content-Type", "text/plain")).statusCode())
        .isEqualTo(415);
    assertThat(send(post(path, "{\"phase\": \"deleted\"}")).body())
        .contains("phase must be one of [paused, running]: 'deleted'");
    assertThat(send(post(path, "\"".repeat(1 << 19))).statusCode()).isEqualTo(413);
    assertThat(send(post("/runs/" + run.runId() + "/weights", "{\"set\": {\"x\": 1}}")).body())
        .contains("set must name domains of the run: 'x'");
    assertThat(RunHistory.read(kafka, "velo").state().phase().wireName()).isEqualTo("running");

    assertThat(send(post(path, body)).statusCode()).isEqualTo(202);
    Patience.await(
        MOMENT,
        () -> json("/runs/" + run.runId()).path("phase").asText(),
        phase -> phase.equals("paused"));
    assertThat(send(post(path, "{\"phase\": \"running\"}")).statusCode()).isEqualTo(202);
    Patience.await(
        MOMENT,
        () -> json("/runs/" + run.runId()).path("phase").asText(),
        phase -> phase.equals("running"));
  }

  @Test
  void aNameThatIsNotItsOwnLeadsNowhere() throws IOException {
    assertThat(raw("GET /api/v1/runs HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"))
        .startsWith("HTTP/1.1 400")
        .contains("the host must be an address, localhost or a name that --host-name gives")
        .doesNotContain("velo");
    assertThat(raw("GET /api/v1/runs HTTP/1.1\r\nHost: localhost:1\r\nConnection: close\r\n\r\n"))
        .startsWith("HTTP/1.1 200")
        .contains("frame-ancestors 'none'", "nosniff");
  }

  private static String raw(String request) throws IOException {
    try (Socket socket = new Socket(address.getHost(), address.getPort())) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void whoListensHearsOfEachGrantThoughOthersDoNotRead() throws Exception {
    RunInfo other = bed.start(bed.velocitune("other", 40));
    List<Socket> deaf = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Socket socket = new Socket(address.getHost(), address.getPort());
      deaf.add(socket);
      socket
          .getOutputStream()
          .write(
              "GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
    }
    List<String> heard = new CopyOnWriteArrayList<>();
    HttpRequest events =
        HttpRequest.newBuilder(address.resolve("/api/v1/events?run=" + other.runId()))
            .header("Accept", "text/event-stream")
            .build();
    Thread listener =
        new Thread(
            () -> {
              try (BufferedReader lines =
                  new BufferedReader(
                      new InputStreamReader(
                          HTTP.send(events, HttpResponse.BodyHandlers.ofInputStream()).body(),
                          StandardCharsets.UTF_8))) {
                lines.lines().forEach(heard::add);
              } catch (IOException | UncheckedIOException | InterruptedException e) {
                heard.add("ended");
              }
            });
    listener.setDaemon(true);
    listener.start();
    Patience.await(MOMENT, () -> heard, lines -> lines.contains("event: runs"));
    int before = heard.size();
    try (ScriptedTrainer trainer = new ScriptedTrainer(kafka, other)) {
      trainer.train(20, 10, ServeIT::losses);
    }
    Patience.await(
        MOMENT, () -> heard.subList(before, heard.size()), lines -> lines.contains("event: run"));
    for (Socket socket : deaf) {
      socket.close();
    }
  }
}
