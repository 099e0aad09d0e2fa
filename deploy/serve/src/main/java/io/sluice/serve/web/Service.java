package io.sluice.serve.web;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.control.error.UnreachableException;
import io.sluice.control.history.RunStatuses;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Supply;
import io.sluice.schema.Topics;
import io.sluice.serve.ServeSettings;
import io.sluice.serve.follow.LiveRun;
import io.sluice.serve.follow.LiveRuns;
import io.sluice.serve.follow.OpenRun;
import io.sluice.serve.follow.OpenRuns;
import io.sluice.serve.follow.Statuses;
import io.sluice.serve.follow.Supplies;
import io.sluice.serve.metrics.Metrics;
import io.sluice.serve.view.DatasetsView;
import io.sluice.serve.view.Json;
import io.sluice.serve.view.RunsView;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.common.errors.InterruptException;

/** What the service's topics say, read for whoever asks. */
final class Service implements AutoCloseable {
  /** The API, as OpenAPI has it. */
  static final String OPENAPI = Page.text("io/sluice/serve/openapi.yaml");

  private static final int OPEN = 16;
  private static final Duration FIRST = Duration.ofSeconds(5);

  private final KafkaAccess kafka;
  private final String version;
  private final InstantSource clock;
  private final boolean actions;
  private final Runnable changed;
  private final Supplies supplies;
  private final LiveRuns live;
  private final Statuses statuses;
  private final OpenRuns runs;

  /**
   * Begins to read.
   *
   * @param changed told when where runs stand has changed
   * @param moved told of a run that has come further
   */
  Service(ServeSettings settings, boolean actions, Runnable changed, Consumer<String> moved) {
    kafka = settings.kafka();
    version = settings.version();
    clock = settings.clock();
    this.actions = actions;
    this.changed = changed;
    supplies = new Supplies(kafka);
    live = new LiveRuns(kafka);
    statuses = new Statuses(kafka, this::changed);
    runs = new OpenRuns(kafka, OPEN, moved);
  }

  private void changed(RunStatuses now) {
    live.follow(now);
    changed.run();
  }

  /** What is scraped by Prometheus. */
  byte[] metrics() {
    Map<String, LiveRun> runsNow = live.now();
    String away = statuses.away();
    Map<String, Map<String, Supply>> supply = new TreeMap<>();
    if (away.isEmpty()) {
      runsNow.values().stream()
          .map(run -> run.mixture().dataset())
          .distinct()
          .forEach(dataset -> supply.put(dataset, supply(dataset)));
    }
    return new Metrics(away, statuses.now(), runsNow, supply, clock.millis()).text();
  }

  /** Itself, and whether Kafka answers. */
  ObjectNode service() {
    return Json.object()
        .put("version", version)
        .put("kafka", kafka.bootstrapServers())
        .put("prefix", kafka.topics().prefix())
        .put("away", statuses.away())
        .put("timeMillis", clock.millis())
        .put("actions", actions);
  }

  /** All runs, once all of them were read, or that took long. */
  ObjectNode runs() {
    try {
      statuses.awaitWhole(FIRST);
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
    ObjectNode json = Json.object();
    json.set("service", service());
    json.set("runs", RunsView.of(statuses.now()));
    return json;
  }

  RunStatuses statuses() {
    return statuses.now();
  }

  /**
   * The run of an id.
   *
   * @throws UnknownRunException if there is none
   * @throws UnreachableException if it would have to be read, and Kafka does not answer
   */
  OpenRun require(String runId) {
    try {
      Topics.requireName("the run's name", Topics.runOf(runId));
      if (!runs.isOpen(runId)) {
        requireKafka();
      }
      return runs.find(runId).orElseThrow(() -> new UnknownRunException(runId));
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }

  /**
   * Looks at a run.
   *
   * @throws UnknownRunException if there is none of that id
   */
  <T> T look(String runId, Function<OpenRun.Picture, T> view) {
    return require(runId).look(view).orElseThrow(() -> new UnknownRunException(runId));
  }

  /** What is prepared of a dataset, by domain. */
  Map<String, Supply> supply(String dataset) {
    return supplies.now(dataset);
  }

  /** Nobody waits for what cannot be read. */
  private void requireKafka() {
    String away = statuses.away();
    if (!away.isEmpty()) {
      throw new UnreachableException(away);
    }
  }

  /**
   * What is prepared of all datasets.
   *
   * @throws UnreachableException if Kafka does not answer
   */
  ObjectNode datasets() {
    requireKafka();
    List<DatasetSpec> specs = new DatasetCatalog(kafka).all();
    Map<String, Map<String, Supply>> supply = new TreeMap<>();
    specs.forEach(spec -> supply.put(spec.getName(), supply(spec.getName())));
    return DatasetsView.of(specs, supply, statuses.now().sealing());
  }

  @Override
  public void close() {
    runs.close();
    statuses.close();
    live.close();
    supplies.close();
  }
}
