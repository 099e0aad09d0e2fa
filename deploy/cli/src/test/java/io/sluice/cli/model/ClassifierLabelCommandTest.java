package io.sluice.cli.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.sluice.cli.Sluice;
import io.sluice.cli.options.GlobalOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class ClassifierLabelCommandTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;
  private final AtomicInteger asked = new AtomicInteger();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private HttpServer model;
  private Path labels;

  @BeforeEach
  void start() throws IOException {
    Files.createDirectory(folder.resolve("texts"));
    for (int i = 0; i < 48; i++) {
      String about = i % 4 == 3 ? "nothing at all" : i % 2 == 0 ? "statutes" : "proteins";
      Files.writeString(
          folder.resolve("texts/t%02d.txt".formatted(i)), "Text %d of %s.".formatted(i, about));
    }
    labels = folder.resolve("labels");
    model = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    model.createContext(
        "/v1/chat/completions",
        exchange -> {
          asked.incrementAndGet();
          JsonNode request = JSON.readTree(exchange.getRequestBody());
          String prompt = request.path("messages").path(0).path("content").asText();
          String answer =
              prompt.contains("statutes")
                  ? "**Law and Policy**"
                  : prompt.contains("proteins") ? "Biology and Chemistry." : "I cannot say.";
          byte[] body =
              JSON.writeValueAsBytes(
                  Map.of(
                      "choices",
                      List.of(Map.of("message", Map.of("content", answer))),
                      "usage",
                      Map.of("prompt_tokens", 90, "completion_tokens", 5)));
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    model.start();
  }

  @AfterEach
  void stop() {
    model.stop(0);
  }

  @Test
  void dividesTextsByWhatAModelSaysOfThemAndAsksNothingTwice() throws IOException {
    assertThat(label("--topics", "english")).as(err.toString()).isZero();
    assertThat(out.toString())
        .contains("24  law-and-policy", "12  biology-and-chemistry", "48 requests asked");
    assertThat(err.toString()).contains("the answer names no topic: I cannot say.");
    List<String> law = Files.readAllLines(labels.resolve("law-and-policy.jsonl"));
    assertThat(law).hasSize(24);
    JsonNode first = JSON.readTree(law.get(0));
    assertThat(first.path("text").asText()).isEqualTo("Text 0 of statutes.");
    assertThat(first.path("label-model").asText()).isEqualTo("m");
    assertThat(first.path("label-request").asText()).hasSize(16);

    out.getBuffer().setLength(0);
    assertThat(label("--topics", "english")).isZero();
    assertThat(out.toString()).contains("0 requests asked, 48 had their answers already");
    assertThat(asked).hasValue(48);
    assertThat(Files.readAllLines(labels.resolve("law-and-policy.jsonl"))).isEqualTo(law);
  }

  @Test
  void whatWasLabelledTrainsAClassifier() {
    assertThat(label("--topics", "Law and Policy, Biology and Chemistry")).isZero();
    int trained =
        execute(
            "classifier",
            "train",
            "--label",
            "law=" + labels.resolve("law-and-policy.jsonl"),
            "--label",
            "life=" + labels.resolve("biology-and-chemistry.jsonl"),
            "--held-out",
            "0",
            "--out",
            folder.resolve("model").toString());
    assertThat(trained).as(err.toString()).isZero();
    assertThat(out.toString()).contains("2 labels");
  }

  @Test
  void namesWhatIsWrong() {
    assertThat(label("--topics", "one")).isEqualTo(2);
    assertThat(err.toString()).contains("there must be 2 to ");
    assertThat(label("--topics", "a,,b")).isEqualTo(2);
    assertThat(err.toString()).contains("--topics: ");
    assertThat(label("--topics", "english", "--characters", "0")).isEqualTo(2);
    assertThat(err.toString()).contains("characters must be from ");
    assertThat(
            execute(
                "classifier",
                "label",
                folder.resolve("texts").toString(),
                "--endpoint",
                "rule",
                "--topics",
                "english",
                "--out",
                labels.toString()))
        .isEqualTo(2);
    assertThat(err.toString()).contains("--endpoint must be a model's: no rule tells topics");
    assertThat(labels).doesNotExist();
    assertThat(asked).hasValue(0);
  }

  private int label(String... options) {
    List<String> command =
        new ArrayList<>(
            List.of("classifier", "label", folder.resolve("texts").toString(), "--format", "text"));
    command.addAll(List.of(options));
    command.addAll(
        List.of(
            "--endpoint",
            "http://127.0.0.1:" + model.getAddress().getPort(),
            "--model",
            "m",
            "--out",
            labels.toString()));
    return execute(command.toArray(String[]::new));
  }

  private int execute(String... command) {
    CommandLine line = Sluice.commandLine(new GlobalOptions(Map.of(), folder), root -> {});
    line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    return line.execute(command);
  }
}
