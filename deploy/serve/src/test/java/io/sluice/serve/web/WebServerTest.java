package io.sluice.serve.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.schema.KafkaAccess;
import io.sluice.serve.ServeSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A server whose Kafka is away: it says so, and its routes are those of its OpenAPI file. */
class WebServerTest {
  private static final Pattern PATH = Pattern.compile("^  (/\\S*):$", Pattern.MULTILINE);
  private static final Pattern METHOD = Pattern.compile("^    (get|post):$", Pattern.MULTILINE);
  private static final Pattern PRELOADED = Pattern.compile("(?:href|src)=\"(page/[^\"]+)\"");

  private static WebServer server;

  @BeforeAll
  static void start() throws IOException {
    int nobody;
    try (ServerSocket socket = new ServerSocket(0)) {
      nobody = socket.getLocalPort();
    }
    server =
        new WebServer(
            new ServeSettings(
                KafkaAccess.local("127.0.0.1:" + nobody),
                "127.0.0.1",
                0,
                Set.of(),
                Optional.empty(),
                "test",
                InstantSource.system()));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static HttpResponse<String> get(String path) {
    try {
      URI address = URI.create("http://127.0.0.1:" + server.port() + path);
      return HttpClient.newHttpClient()
          .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void thePageAndAllThatItLoadsAreThere() throws IOException {
    HttpResponse<String> page = get("/");
    assertThat(page.statusCode()).isEqualTo(200);
    Set<String> loaded =
        PRELOADED
            .matcher(page.body())
            .results()
            .map(each -> each.group(1))
            .collect(Collectors.toSet());
    Path sources = Path.of("src/main/resources", Page.FOLDER);
    try (Stream<Path> files = Files.walk(sources)) {
      assertThat(loaded)
          .containsAll(
              files
                  .filter(file -> file.toString().endsWith(".js"))
                  .map(file -> "page/" + sources.relativize(file))
                  .toList());
    }
    assertThat(loaded)
        .allSatisfy(
            file -> {
              HttpResponse<String> answer = get("/" + file);
              assertThat(answer.statusCode()).isEqualTo(200);
              assertThat(answer.headers().firstValue("Content-Type").orElse(""))
                  .containsAnyOf("javascript", "text/css", "image/svg+xml");
            });
  }

  @Test
  void aKafkaThatIsAwayIsSaid() throws IOException {
    JsonNode runs = new ObjectMapper().readTree(get("/api/v1/runs").body());
    assertThat(runs.path("runs")).isEmpty();
    assertThat(runs.at("/service/away").asText()).contains("did not answer within 2 s");
    HttpResponse<String> run = get("/api/v1/runs/velo.1234/course");
    assertThat(run.statusCode()).isEqualTo(503);
    assertThat(run.body()).contains("did not answer within 2 s");
    assertThat(get("/metrics").body()).contains("sluice_kafka_answers 0.0");
  }

  @Test
  void itsRoutesAreThoseOfItsOpenApiFile() {
    String file = get("/api/v1/openapi.yaml").body();
    Set<String> described = new TreeSet<>();
    MatchResult path = null;
    for (MatchResult next : PATH.matcher(file).results().toList()) {
      addMethods(described, file, path, next.start());
      path = next;
    }
    addMethods(described, file, path, file.indexOf("\ncomponents:"));
    Set<String> served = new TreeSet<>(server.routes());
    served.remove("get /openapi.yaml");
    assertThat(described).isEqualTo(served);
  }

  private static void addMethods(Set<String> all, String file, MatchResult path, int end) {
    if (path != null) {
      METHOD
          .matcher(file.substring(path.end(), end))
          .results()
          .forEach(method -> all.add(method.group(1) + " " + path.group(1)));
    }
  }
}
