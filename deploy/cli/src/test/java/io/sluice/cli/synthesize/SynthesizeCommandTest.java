package io.sluice.cli.synthesize;

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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SynthesizeCommandTest {
  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Path seeds;
  private Path file;

  @BeforeEach
  void write() throws IOException {
    seeds = Files.createDirectory(folder.resolve("seeds"));
    file = folder.resolve("qa.jsonl");
    for (int i = 0; i < 6; i++) {
      Files.writeString(
          seeds.resolve("f" + i + ".py"),
          "def f%d(x):\n    \"\"\"Adds %d.\"\"\"\n    return x + %d\n".formatted(i, i, i));
    }
    Files.writeString(seeds.resolve("g.txt"), "Nothing that a rule makes a question of.");
  }

  @Test
  void makesDocumentsByRuleThatSaySo() throws IOException {
    assertThat(run("--endpoint", "rule", "--template", "code")).isZero();

    List<JsonNode> documents = documents();
    assertThat(documents).hasSize(6);
    JsonNode first = documents.get(0);
    assertThat(first.path("text").asText())
        .startsWith(
            "Write a Python function that begins with `def f0(x):` and does this:\n\nAdds 0.");
    assertThat(first.path("synthesis-rule").asText()).isEqualTo("true");
    assertThat(first.path("synthesis-model").asText()).isEqualTo("rule");
    assertThat(first.path("synthesis-template").asText()).isEqualTo("code");
    assertThat(first.path("synthesis-seed").asText()).contains("f0.py");
    assertThat(first.path("id").asText())
        .startsWith("qa-" + first.path("synthesis-request").asText());
    assertThat(out.toString())
        .contains("6 documents of 7 seeds", "7 requests asked, 0 had their answers already")
        .contains("1 refused: refused by the endpoint");
    assertThat(err.toString()).contains("no rule makes a question of it");
  }

  @Test
  void asksNothingTwiceAndEndsWithTheSameFile() throws IOException {
    run("--endpoint", "rule", "--template", "code");
    String whole = Files.readString(file);
    Files.delete(file);

    assertThat(run("--endpoint", "rule", "--template", "code")).isZero();
    assertThat(out.toString()).contains("0 requests asked, 7 had their answers already");
    assertThat(file).content().isEqualTo(whole);
    assertThat(folder.resolve("qa.jsonl.unfinished")).doesNotExist();
  }

  @Test
  void aBudgetThatEndsItLeavesTheFirstDocumentsAndALargerOneGoesOn() throws IOException {
    String[] rule = {"--endpoint", "rule", "--template", "code", "--max-tokens", "100"};
    assertThat(run(with(rule, "--budget-tokens", "1200"))).isEqualTo(1);
    assertThat(err.toString()).contains("--budget-tokens ended it before ").contains("goes on");
    assertThat(out.toString()).contains(" of 1,200 tokens spent in all");
    String part = Files.readString(file);
    assertThat(documents()).hasSizeBetween(1, 5);

    assertThat(run(with(rule, "--budget-tokens", "100000"))).isZero();
    assertThat(file).content().startsWith(part);
    assertThat(documents()).hasSize(6);
  }

  @Test
  void asksAnEndpointAndKeepsWhatItHasWhenThatIsGone() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/v1/chat/completions",
        exchange -> {
          boolean gone = asked.incrementAndGet() == 3;
          byte[] body =
              ("{\"choices\": [{\"message\": {\"content\": \"[Problem] What is it, then?\\n"
                      + "[Solution] It is 3.\"}}],"
                      + " \"usage\": {\"prompt_tokens\": 10, \"completion_tokens\": 5}}")
                  .getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(gone ? 503 : 200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    try {
      String url = "http://127.0.0.1:" + server.getAddress().getPort();
      String[] asks = {
        "--endpoint",
        url,
        "--model",
        "m",
        "--template",
        "science",
        "--discipline",
        "physics",
        "--concurrency",
        "1",
        "--tries",
        "1",
        "--corruption",
        "0.7"
      };
      assertThat(run(asks)).isEqualTo(3);
      assertThat(err.toString()).contains("the endpoint does not answer: " + url);
      assertThat(documents()).hasSize(2);
      assertThat(run(asks)).isZero();
      assertThat(documents()).hasSize(7);
      // One more may have been on its way when the endpoint went.
      assertThat(asked.get()).isBetween(8, 9);
      assertThat(documents().get(6).path("synthesis-value-discipline").asText())
          .isEqualTo("physics");
      assertThat(documents().get(6).path("synthesis-corruption").asText()).isEqualTo("0.7");
      assertThat(out.toString()).contains(" tokens spent in all");
    } finally {
      server.stop(0);
    }
  }

  @Test
  void namesWhatIsWrong() throws IOException {
    refused("--discipline must be given for template science", "rule", "--template", "science");
    refused(
        "a place for each value: none for [discipline]",
        "rule",
        "--template",
        "code",
        "--discipline",
        "physics");
    refused(
        "--model must not be given with --endpoint rule",
        "rule",
        "--template",
        "code",
        "--model",
        "m");
    refused("--model must be given", "http://localhost:1", "--template", "code");
    refused("--endpoint must be 'rule', or http", "ftp://a", "--template", "code", "--model", "m");
    refused(
        "--key-env must be a variable",
        "http://localhost:1",
        "--template",
        "code",
        "--model",
        "m",
        "--key-env",
        "SLUICE_NO_SUCH_KEY");
    refused(
        "--corruption must be from 0 to 0.7: 0.9",
        "rule",
        "--template",
        "code",
        "--corruption",
        "0.9");
    refused(
        "--budget-tokens must be at least 1: 0",
        "rule",
        "--template",
        "code",
        "--budget-tokens",
        "0");
    refused("--template must be science, code or a file", "rule", "--template", "none");
    Files.delete(folder.resolve("qa.jsonl.answers"));
    Files.writeString(file, "mine");
    refused(
        "--out must not be there yet, or have its answers with it", "rule", "--template", "code");
    assertThat(file).content().isEqualTo("mine");
  }

  private void refused(String reason, String endpoint, String... options) {
    List<String> all = new ArrayList<>(List.of("--endpoint", endpoint));
    all.addAll(List.of(options));
    assertThat(run(all.toArray(String[]::new))).isEqualTo(2);
    assertThat(err.toString()).contains(reason);
  }

  private int run(String... options) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    List<String> all = new ArrayList<>(List.of("synthesize", seeds.toString()));
    all.addAll(List.of("--out", file.toString()));
    all.addAll(List.of(options));
    return Sluice.commandLine(new GlobalOptions(Map.of(), folder), further -> {})
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(all.toArray(String[]::new));
  }

  private static String[] with(String[] options, String... more) {
    List<String> all = new ArrayList<>(List.of(options));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  private List<JsonNode> documents() throws IOException {
    List<JsonNode> documents = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      documents.add(new ObjectMapper().readTree(line));
    }
    return documents;
  }
}
