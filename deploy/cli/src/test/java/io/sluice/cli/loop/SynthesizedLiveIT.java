package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.sluice.cli.ingest.corpus.CorpusIngest;
import io.sluice.control.history.TopicScan;
import io.sluice.control.refine.RefineLog;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.corpus.file.Format;
import io.sluice.jobs.refine.RefineJob;
import io.sluice.jobs.refine.answer.AnswerTopic;
import io.sluice.refine.decide.RefineSpecs;
import io.sluice.refine.step.StepNames;
import io.sluice.refine.synthesis.Template;
import io.sluice.refine.synthesis.live.SynthesisStep;
import io.sluice.schema.Document;
import io.sluice.schema.DroppedDocument;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RefineProgress;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.RefineStep;
import io.sluice.service.Patience;
import io.sluice.service.broker.EmbeddedBroker;
import io.sluice.service.flink.EmbeddedFlink;
import io.sluice.service.flink.FlinkSettings;
import io.sluice.service.flink.JobHandle;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Questions and answers of documents as they come, by an endpoint that misbehaves and never says
 * the same twice, in a job that is killed, waits for a larger budget and is started without state.
 */
class SynthesizedLiveIT {
  private static final Duration IDLE = Duration.ofMinutes(2);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern SEED = Pattern.compile("Seed (\\d+) ");
  private static final int PORTION = 60;
  private static final int CONCURRENCY = 4;
  private static final int BUDGET = 4_000;
  private static final int MOST_TOKENS = 300;

  private final AtomicInteger asked = new AtomicInteger();
  private final Map<Integer, AtomicInteger> answered = new ConcurrentHashMap<>();
  private HttpServer model;

  @TempDir private Path directory;

  @BeforeEach
  void start() throws IOException {
    model = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    model.setExecutor(Executors.newCachedThreadPool());
    model.createContext("/v1/chat/completions", this::answer);
    model.start();
  }

  @AfterEach
  void stop() {
    model.stop(0);
  }

  /** Every fifth request fails, in one of four ways; every seventh seed gets no pair. */
  private void answer(HttpExchange exchange) throws IOException {
    String prompt =
        JSON.readTree(exchange.getRequestBody()).path("messages").path(0).path("content").asText();
    Matcher matcher = SEED.matcher(prompt);
    int seed = matcher.find() ? Integer.parseInt(matcher.group(1)) : -1;
    int number = asked.incrementAndGet();
    int status = number % 5 != 0 ? 200 : number % 3 == 0 ? 429 : 500;
    if (status == 429) {
      exchange.getResponseHeaders().set("Retry-After", "0");
    }
    JsonNode body =
        JSON.valueToTree(
            Map.of(
                "choices",
                List.of(Map.of("message", Map.of("content", content(seed, number)))),
                "usage",
                Map.of("prompt_tokens", 50, "completion_tokens", 10)));
    byte[] bytes =
        number % 10 == 0
            ? "{\"choices\": [".getBytes(StandardCharsets.UTF_8)
            : JSON.writeValueAsBytes(body);
    if (status == 200) {
      answered.computeIfAbsent(seed, unused -> new AtomicInteger()).incrementAndGet();
    }
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private static String content(int seed, int number) {
    return seed % 7 == 0
        ? "I would rather not."
        : "[Problem] What is said of number " + seed + "?\n[Solution] Answer " + number + ".";
  }

  @Test
  void eachSeedIsAskedAboutOnceAndMakesOneDocument() throws Exception {
    try (EmbeddedBroker broker =
            EmbeddedBroker.start(directory.resolve("broker"), 0, Patience.MINUTE);
        EmbeddedFlink flink =
            EmbeddedFlink.start(
                FlinkSettings.in(directory.resolve("flink")).withTaskManagers(1, 8))) {
      KafkaAccess kafka = KafkaAccess.local(broker.bootstrapServers());
      ingest(kafka, 0, false);
      JobHandle job = submit(flink, kafka, spec(BUDGET), Optional.empty());
      Patience.await(IDLE, () -> spent(kafka).tokens() > BUDGET - 4 * MOST_TOKENS);
      flink.terminateTaskManager(0);
      flink.startTaskManager();
      Patience.await(IDLE, () -> spent(kafka).tokens() > BUDGET - MOST_TOKENS - 60);
      assertThat(spent(kafka).tokens()).isLessThanOrEqualTo(BUDGET);
      assertThat(progress(kafka).getRecords()).isLessThan(PORTION);

      job.cancel();
      job = submit(flink, kafka, spec(0), flink.latestCheckpoint("live"));
      ingest(kafka, 1, false);
      Patience.await(IDLE, () -> progress(kafka).getRecords() > PORTION + 10);
      job.cancel();
      submit(flink, kafka, spec(0), Optional.empty());
      ingest(kafka, 2, true);
      Patience.await(IDLE, () -> progress(kafka).getEnded());
      requireWhole(kafka);
    }
  }

  private void requireWhole(KafkaAccess kafka) {
    RefineProgress progress = progress(kafka);
    long seeds = 3L * PORTION;
    long without = (seeds + 6) / 7;
    assertThat(progress.getCounts())
        .containsEntry("kept", seeds - without)
        .containsEntry("end", 1L)
        .hasSize(3);
    Map<String, String> made = new HashMap<>();
    new TopicScan(kafka)
        .read(
            Document.class,
            kafka.topics().corpus("qa"),
            document -> {
              String seed = document.getProperties().get("synthesis-seed");
              assertThat(made.put(seed, document.getText())).isNull();
              assertThat(document.getText()).contains("of number " + seed.substring(1) + "?");
            });
    assertThat(made).hasSize((int) (seeds - without));
    assertThat(new HashSet<>(made.values())).hasSize(made.size());
    List<DroppedDocument> dropped = new ArrayList<>();
    new RefineLog(kafka, "live")
        .read(
            PATIENCE,
            said -> {
              if (said instanceof DroppedDocument each) {
                dropped.add(each);
              }
            });
    assertThat(dropped).hasSize((int) without);
    assertThat(spent(kafka).answers()).isEqualTo(seeds);
    // What was under way when a job was stopped may have been answered, and nobody heard it.
    long again = answered.values().stream().mapToLong(count -> count.get() - 1).sum();
    assertThat(again).isLessThanOrEqualTo(3L * CONCURRENCY);
  }

  private RefineSpec spec(long budget) {
    Template template = Template.of("science");
    Map<String, String> settings = new HashMap<>();
    settings.put("endpoint", "http://127.0.0.1:" + model.getAddress().getPort());
    settings.put("model", "m");
    settings.put("template", template.name());
    settings.put(SynthesisStep.TEXT, template.text());
    settings.put("discipline", "physics");
    settings.put("snippet", "1000");
    settings.put("temperature", "0.7");
    settings.put("max-tokens", "20");
    settings.put("seed", "1");
    settings.put("corruption", "0");
    settings.put("concurrency", Integer.toString(CONCURRENCY));
    settings.put("rate", "0");
    settings.put("timeout", "30");
    settings.put("tries", "10");
    settings.put("budget-tokens", Long.toString(budget));
    settings.put("key-env", "NOBODY_HAS_THIS");
    return RefineSpecs.resolve(
        "live",
        List.of("seeds"),
        "qa",
        List.of(new RefineStep(StepNames.SYNTHESIZE, "", "", settings)));
  }

  private static JobHandle submit(
      EmbeddedFlink flink, KafkaAccess kafka, RefineSpec spec, Optional<Path> state) {
    try (TopicAdmin admin = new TopicAdmin(kafka)) {
      admin.ensureService();
      admin.ensureRefinery(spec);
    }
    return flink.submit("live", env -> RefineJob.build(env, kafka, spec, 1), state);
  }

  private static AnswerTopic.Spent spent(KafkaAccess kafka) {
    return AnswerTopic.Spent.of(kafka, kafka.topics().answers("live"));
  }

  private static RefineProgress progress(KafkaAccess kafka) {
    return new RefineLog(kafka, "live")
        .progress(PATIENCE)
        .orElseGet(
            () -> new RefineProgress(0L, 0L, List.of(), Map.of(), List.of(), Map.of(), false));
  }

  private void ingest(KafkaAccess kafka, int portion, boolean end) throws IOException {
    List<String> lines = new ArrayList<>();
    for (int i = portion * PORTION; i < (portion + 1) * PORTION; i++) {
      lines.add("{\"id\": \"s%d\", \"text\": \"Seed %d is of numbers.\"}".formatted(i, i));
    }
    Path file = Files.write(directory.resolve("seeds" + portion + ".jsonl"), lines);
    IngestSettings settings = new IngestSettings("seeds", Format.JSONL, 1 << 20);
    new CorpusIngest(kafka, settings, false, end, bytes -> {}).paths(List.of(file));
  }
}
