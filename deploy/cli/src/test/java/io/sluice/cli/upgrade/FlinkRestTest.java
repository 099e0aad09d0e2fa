package io.sluice.cli.upgrade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sluice.cli.flink.FlinkAnswer;
import io.sluice.cli.flink.FlinkRest;
import io.sluice.control.error.BadInputException;
import io.sluice.control.error.CheckFailedException;
import io.sluice.control.error.UnreachableException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever answers in Flink's place is told from Flink, in bounded time and memory. */
class FlinkRestTest {
  private TestingFlink flink;

  @BeforeEach
  void start() throws IOException {
    flink = new TestingFlink();
  }

  @AfterEach
  void stop() {
    flink.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost:8081",
        "ftp://a",
        "http://",
        "http://u:secret@a",
        "http://a?b",
        "http://a#b",
        "a b"
      })
  void anAddressThatIsNoneIsRefusedWithoutBeingShown(String url) {
    assertThatExceptionOfType(BadInputException.class)
        .isThrownBy(() -> new FlinkRest(url, Duration.ofSeconds(1)))
        .withMessageStartingWith("--flink must be http://HOST:PORT")
        .withMessageNotContaining("secret");
  }

  @Test
  void whereNobodyListensItSaysSo() throws IOException {
    int free;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }
    FlinkRest nobody = new FlinkRest("http://127.0.0.1:" + free, Duration.ofSeconds(3));

    assertThatExceptionOfType(UnreachableException.class)
        .isThrownBy(() -> nobody.reach("/config"))
        .withMessageMatching("Flink is unreachable at http://127.0.0.1:" + free + ": .+");
  }

  @Test
  void whoTakesTheConnectionAndSaysNothingIsGivenUp() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
      FlinkRest rest =
          new FlinkRest("http://127.0.0.1:" + silent.getLocalPort(), Duration.ofMillis(300));

      assertThatExceptionOfType(UnreachableException.class)
          .isThrownBy(() -> rest.reach("/config"))
          .withMessageContaining("no answer within 300ms");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "404 | {\"errors\": [\"Not found: /x\"]} | refuses GET /x: HTTP status 404: Not found: /x",
        "302 | '' | refuses GET /x: HTTP status 302",
        "401 | no | refuses GET /x: HTTP status 401",
        "500 | {\"errors\": 7} | refuses GET /x: HTTP status 500",
        "200 | <html> | is not Flink: its answer to GET /x, HTTP status 200, is no JSON: '<html>'",
        "200 | '' | is not Flink",
        "200 | [[[ | is not Flink",
      })
  void whatIsNoAnswerIsRefused(int status, String body, String said) {
    flink.says("GET /x", status, body);

    assertThatExceptionOfType(CheckFailedException.class)
        .isThrownBy(() -> flink.rest().get("/x"))
        .withMessageContaining(said);
  }

  @Test
  void ofAStackTraceTheLastCauseIsSaid() {
    flink.says(
        "GET /x",
        400,
        "{\"errors\": [\"Internal server error.\", \"<Exception on server side:\\n"
            + "a.b.Outer: no\\n"
            + "\\tat a.b.C\\n"
            + "Caused by: io.sluice.jobs.main.JobRefusedException: must be \\u0007 so\\n"
            + "\\tat x\"]}");

    assertThatExceptionOfType(CheckFailedException.class)
        .isThrownBy(() -> flink.rest().get("/x"))
        .withMessageEndingWith(
            "HTTP status 400: Internal server error.: JobRefusedException: must be ? so");
  }

  @ParameterizedTest
  @ValueSource(ints = {502, 503, 504})
  void withoutALeaderItIsUnreachable(int status) {
    flink.says("GET /x", status, "{}");

    assertThatExceptionOfType(UnreachableException.class)
        .isThrownBy(() -> flink.rest().get("/x"))
        .withMessageContaining("no job manager that answers: HTTP status " + status);
  }

  @Test
  void anAnswerWithoutEndIsBrokenOff() {
    flink.says("GET /x", "\"" + "x".repeat(FlinkRest.ANSWER_BYTES) + "\"");

    assertThatExceptionOfType(UnreachableException.class)
        .isThrownBy(() -> flink.rest().get("/x"))
        .withMessageContaining("has more than " + FlinkRest.ANSWER_BYTES + " bytes");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | 'text' as a text: nothing",
        "{\"text\": 7} | 'text' as a text: 7",
        "{\"text\": null} | 'text' as a text: null",
        "[1] | 'text' as a text: nothing",
        "{\"text\": \"../../jars\"} | text as a text like [a-z]+: \"../../jars\"",
      })
  void aFieldThatIsNotAsItShouldBeIsNamed(String body, String said) {
    flink.says("GET /x", body);
    FlinkAnswer answer = flink.rest().get("/x");

    assertThatExceptionOfType(CheckFailedException.class)
        .isThrownBy(() -> answer.text("text", Pattern.compile("[a-z]+")))
        .withMessage("Flink's answer to GET /x must have " + said);
  }

  @Test
  void numbersListsAndMapsAreNamedToo() {
    flink.says("GET /x", "{\"n\": -1, \"l\": {}, \"m\": []}");
    FlinkAnswer answer = flink.rest().get("/x");

    assertThatExceptionOfType(CheckFailedException.class)
        .isThrownBy(() -> answer.number("n"))
        .withMessageEndingWith("'n' as a number: -1");
    assertThatExceptionOfType(CheckFailedException.class)
        .isThrownBy(() -> answer.list("l"))
        .withMessageEndingWith("'l' as a list: {}");
    assertThatExceptionOfType(CheckFailedException.class)
        .isThrownBy(() -> answer.at("m"))
        .withMessageEndingWith("'m' as a map: []");
    assertThatExceptionOfType(CheckFailedException.class)
        .isThrownBy(answer::list)
        .withMessageContaining("as a list");
  }

  @Test
  void aJarIsSentAsAForm(@TempDir Path folder) throws IOException {
    Path jar = Files.writeString(folder.resolve("a \"b\".jar"), "bytes");
    flink.says("POST /jars/upload", "{\"filename\": \"/tmp/x/7_a.jar\"}");

    assertThat(flink.cluster().upload(jar)).isEqualTo("7_a.jar");
    assertThat(flink.bodies.get(0))
        .contains("name=\"jarfile\"; filename=\"a__b_.jar\"")
        .contains("\r\n\r\nbytes\r\n--");
  }
}
