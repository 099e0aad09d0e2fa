package io.sluice.refine.synthesis.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.control.error.BadInputException;
import io.sluice.refine.synthesis.Reply;
import io.sluice.refine.synthesis.Request;
import io.sluice.refine.synthesis.Sampling;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class HttpEndpointTest {
  private static final Request REQUEST = new Request("model", "Warum? 数", new Sampling(.5, 100, 7));
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z"));
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Test
  void asksAsTheProtocolHasIt() throws InterruptedException {
    try (TestingModel model =
        new TestingModel((m, n, request, to) -> m.complete(request, to, "Darum."))) {
      assertThat(endpoint(model.url(), "secret").ask(REQUEST))
          .isEqualTo(new Reply.Answered("Darum.", false, Optional.of(3L)));
      JsonNode asked = model.asked.get(0);
      assertThat(TestingModel.prompt(asked)).isEqualTo("Warum? 数");
      assertThat(asked.path("model").asText()).isEqualTo("model");
      assertThat(asked.path("temperature").asDouble()).isEqualTo(.5);
      assertThat(asked.path("max_tokens").asInt()).isEqualTo(100);
      assertThat(asked.path("seed").asInt()).isEqualTo(7);
      assertThat(model.authorized).containsExactly("Bearer secret");
      assertThat(endpoint(model.url() + "/v1/", "sk-1").ask(REQUEST))
          .isInstanceOf(Reply.Answered.class);
      assertThat(endpoint(model.url() + "/v1/chat/completions", "sk-1").ask(REQUEST))
          .isInstanceOf(Reply.Answered.class);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "429, 7, 7, true",
    "503, 'Thu, 01 Jan 2026 00:02:00 GMT', 120, true",
    "503, 'Wed, 31 Dec 2025 00:02:00 GMT', 0, true",
    "429, soon, , true",
    "500, , , false",
    "502, 3, 3, false"
  })
  void whatMayPassMayBeAskedAgain(int status, String after, Integer seconds, boolean free)
      throws InterruptedException {
    try (TestingModel model =
        new TestingModel(
            (m, n, request, to) -> {
              if (after != null) {
                to.getResponseHeaders().add("Retry-After", after);
              }
              TestingModel.send(to, status, "{\"error\": {\"message\": \"too\\nmuch\"}}");
            })) {
      assertThat(endpoint(model.url(), "sk-1").ask(REQUEST))
          .isEqualTo(
              new Reply.Failed(
                  model.url() + "/v1/chat/completions: HTTP status " + status + ": too much",
                  Optional.ofNullable(seconds).map(Duration::ofSeconds),
                  free));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "<html>",
        "{\"choices\": []}",
        "{\"choices\": [{\"message\": {\"content\": 7}}]}",
        "{\"choices\": [{\"message\": {\"content\": null}}]}"
      })
  void whatIsNoAnswerMayBeAskedAgainAndMayHaveCost(String body) throws InterruptedException {
    try (TestingModel model =
        new TestingModel((m, n, request, to) -> TestingModel.send(to, 200, body))) {
      assertThat(failed(endpoint(model.url(), "sk-1")))
          .matches(failed -> !failed.free())
          .extracting(Reply.Failed::reason)
          .asString()
          .contains("its answer ");
    }
  }

  @Test
  void bodiesThatBreakOffAndBodiesWithoutEndAreNoAnswers() throws InterruptedException {
    try (TestingModel model =
        new TestingModel(
            (m, n, request, to) -> {
              if (n == 1) {
                TestingModel.flood(to);
              }
              byte[] body = m.completion(request, "Darum.");
              to.sendResponseHeaders(200, body.length);
              to.getResponseBody().write(body, 0, body.length - 9);
              to.getResponseBody().flush();
              throw new IOException("broken off");
            })) {
      assertThat(failed(endpoint(model.url(), "sk-1")).reason())
          .contains("its answer has more than 4194304 bytes");
      assertThat(failed(endpoint(model.url(), "sk-1")).free()).isFalse();
    }
  }

  @Test
  void silenceIsNotWaitedFor() throws InterruptedException {
    try (TestingModel model = new TestingModel((m, n, request, to) -> m.hang())) {
      HttpEndpoint endpoint =
          new HttpEndpoint(model.url(), Optional.empty(), Duration.ofMillis(200), CLOCK);
      assertThat(failed(endpoint).reason()).endsWith("no answer within 200 ms");
      assertThat(failed(endpoint).free()).isFalse();
      assertThat(model.authorized).containsOnly("null");
    }
  }

  @Test
  void nobodyThereHasCostNothing() throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    assertThat(failed(endpoint("http://127.0.0.1:" + port, "sk-1")).free()).isTrue();
  }

  @Test
  void whatTheModelOrTheEndpointRefusesIsRefused() throws InterruptedException {
    try (TestingModel model =
        new TestingModel(
            (m, n, request, to) -> {
              switch (n) {
                case 1 -> TestingModel.send(to, 400, "{\"error\": \"too long\"}");
                case 2 -> TestingModel.send(to, 422, "no JSON");
                case 3 ->
                    TestingModel.send(
                        to, 200, "{\"choices\": [{\"message\": {\"refusal\": \"No.\"}}]}");
                default ->
                    TestingModel.send(
                        to,
                        200,
                        "{\"choices\": [{\"finish_reason\": \"length\", \"message\": {\"content\":"
                            + " \"a\"}}], \"usage\": {\"prompt_tokens\": -1}}");
              }
            })) {
      HttpEndpoint endpoint = endpoint(model.url(), "sk-1");
      assertThat(endpoint.ask(REQUEST)).isEqualTo(new Reply.Refused("HTTP status 400: too long"));
      assertThat(endpoint.ask(REQUEST)).isEqualTo(new Reply.Refused("HTTP status 422"));
      assertThat(endpoint.ask(REQUEST)).isEqualTo(new Reply.Refused("the model refuses: No."));
      assertThat(endpoint.ask(REQUEST)).isEqualTo(new Reply.Answered("a", true, Optional.empty()));
    }
  }

  @Test
  void aWrongKeyEndsEverythingAndIsNotShown() {
    try (TestingModel model =
        new TestingModel(
            (m, n, request, to) ->
                TestingModel.send(to, 401, "{\"error\": {\"message\": \"Bad key: sk-secret\"}}"))) {
      HttpEndpoint endpoint = endpoint(model.url(), "sk-secret");
      assertThatThrownBy(() -> endpoint.ask(REQUEST))
          .isInstanceOf(BadInputException.class)
          .hasMessageStartingWith("--endpoint must be one that knows this address, model and key")
          .hasMessageEndingWith("HTTP status 401: Bad key: ***");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"ftp://a", "http://u:secret@a", "a b", "http://a?key=secret", "http:///v1"})
  void refusesAddressesThatCannotBeOne(String url) {
    assertThatThrownBy(() -> endpoint(url, "sk-1"))
        .isInstanceOf(BadInputException.class)
        .hasMessageStartingWith("--endpoint must be 'rule', or http://HOST:PORT")
        .hasMessageNotContaining("secret");
  }

  private static Reply.Failed failed(HttpEndpoint endpoint) throws InterruptedException {
    Reply reply = endpoint.ask(REQUEST);
    assertThat(reply).isInstanceOf(Reply.Failed.class);
    return (Reply.Failed) reply;
  }

  private static HttpEndpoint endpoint(String url, String key) {
    return new HttpEndpoint(url, Optional.of(key), PATIENCE, CLOCK);
  }
}
