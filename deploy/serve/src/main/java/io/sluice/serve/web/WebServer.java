package io.sluice.serve.web;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.http.HttpStatus;
import io.javalin.http.NotAcceptableResponse;
import io.javalin.http.UnsupportedMediaTypeResponse;
import io.javalin.http.staticfiles.Location;
import io.sluice.control.error.BadInputException;
import io.sluice.control.error.UnreachableException;
import io.sluice.schema.KafkaUnreachableException;
import io.sluice.schema.Supply;
import io.sluice.serve.ServeSettings;
import io.sluice.serve.view.CourseCsv;
import io.sluice.serve.view.CourseView;
import io.sluice.serve.view.Json;
import io.sluice.serve.view.RunView;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The page, the API and its events, over HTTP. */
public final class WebServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WebServer.class);
  private static final String API = "/api/v1";
  private static final String POLICY =
      "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline';"
          + " frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
  private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";
  private static final int MOST_BYTES = 1 << 18;
  private static final long IDLE_MILLIS = 30_000;

  private final Service service;
  private final Guard guard;
  private final Actions actions;
  private final Events events;
  private final String index = Page.index();
  private final Javalin javalin;

  /**
   * Begins to serve.
   *
   * @throws BadInputException if it cannot listen there
   */
  public WebServer(ServeSettings settings) {
    guard = new Guard(settings.hostNames(), settings.token());
    events = new Events(this::runs);
    service = new Service(settings, guard.letsChange(), events::changed, events::changed);
    actions = new Actions(settings.kafka());
    javalin = Javalin.create(config -> configure(config, settings));
    try {
      javalin.start();
    } catch (RuntimeException e) {
      close();
      throw new BadInputException(
          "cannot listen on " + settings.host() + ":" + settings.port() + ": " + reason(e), e);
    }
  }

  private static String reason(Throwable e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return String.valueOf(cause.getMessage());
  }

  /** The port that it listens on. */
  public int port() {
    return javalin.port();
  }

  /** Methods and paths of the API, below its own path. */
  Set<String> routes() {
    return javalin.unsafe.internalRouter.allHttpHandlers().stream()
        .map(each -> each.endpoint)
        .filter(each -> each.method.isHttpMethod() && each.path.startsWith(API))
        .map(each -> each.method.name().toLowerCase(Locale.ROOT) + each.path.replace(API, " "))
        .collect(Collectors.toSet());
  }

  private String runs() {
    return Json.write(service.runs());
  }

  private void configure(JavalinConfig config, ServeSettings settings) {
    config.startup.showJavalinBanner = false;
    config.jetty.host = settings.host();
    config.jetty.port = settings.port();
    config.jetty.modifyHttpConfiguration(
        http -> {
          http.setSendServerVersion(false);
          http.setIdleTimeout(IDLE_MILLIS);
        });
    config.http.maxRequestSize = MOST_BYTES;
    config.http.prefer405over404 = true;
    config.staticFiles.add(
        files -> {
          files.hostedPath = "/page";
          files.directory = "/" + Page.FOLDER;
          files.location = Location.CLASSPATH;
          files.headers.put("Cache-Control", "no-cache");
        });
    config.routes.before(this::begin);
    config.routes.get("/", context -> context.html(index));
    config.routes.get(
        "/metrics",
        context -> {
          context.contentType(METRICS);
          context.result(service.metrics());
        });
    config.routes.get(API + "/openapi.yaml", context -> context.result(Service.OPENAPI));
    config.routes.get(API + "/service", context -> json(context, service.service()));
    config.routes.get(API + "/runs", context -> json(context, service.runs()));
    config.routes.get(API + "/runs/{runId}", this::run);
    config.routes.get(API + "/runs/{runId}/course", this::course);
    config.routes.get(API + "/runs/{runId}/course.csv", this::csv);
    config.routes.post(API + "/runs/{runId}/phase", this::phase);
    config.routes.post(API + "/runs/{runId}/weights", this::weights);
    config.routes.get(API + "/datasets", context -> json(context, service.datasets()));
    config.routes.before(API + "/events", this::beginEvents);
    config.routes.sse(
        API + "/events",
        client ->
            events.add(client, Objects.requireNonNullElse(client.ctx().queryParam("run"), "")));
    config.routes.exception(HttpResponseException.class, this::refuse);
    config.routes.exception(Exception.class, WebServer::fail);
  }

  private void begin(Context context) {
    context.header("Content-Security-Policy", POLICY);
    context.header("X-Content-Type-Options", "nosniff");
    context.header("Referrer-Policy", "no-referrer");
    context.header("Cache-Control", "no-store");
    guard.requireOwnName(context);
  }

  /** Refuses what cannot be refused any more once the first event is on its way. */
  private void beginEvents(Context context) {
    if (!String.valueOf(context.header("Accept")).contains("text/event-stream")) {
      throw new NotAcceptableResponse("ask for events with 'Accept: text/event-stream'");
    }
    events.requireRoom();
    String run = context.queryParam("run");
    if (run != null) {
      service.require(run);
    }
  }

  private void run(Context context) {
    String runId = context.pathParam("runId");
    // Read before: nothing of a run is read while somebody looks at it.
    Map<String, Supply> supply =
        service.supply(service.look(runId, picture -> picture.fold().spec().getDataset()));
    json(
        context,
        service.look(runId, picture -> RunView.of(picture.fold(), service.statuses(), supply)));
  }

  private void course(Context context) {
    int top = number(context, "top", 16);
    String by = Optional.ofNullable(context.queryParam("by")).orElse("weight");
    json(
        context,
        service.look(context.pathParam("runId"), picture -> CourseView.of(picture, top, by)));
  }

  private void csv(Context context) {
    String csv = service.look(context.pathParam("runId"), CourseCsv::of);
    context.contentType("text/csv; charset=utf-8");
    context.header("Content-Disposition", "attachment; filename=course.csv");
    context.result(csv);
  }

  private void phase(Context context) {
    ObjectNode body = asked(context);
    String runId = context.pathParam("runId");
    service.require(runId);
    accepted(context, actions.phase(runId, body));
  }

  private void weights(Context context) {
    ObjectNode body = asked(context);
    String runId = context.pathParam("runId");
    accepted(
        context,
        actions.weights(
            runId,
            body,
            service.look(runId, picture -> picture.fold().state().settings().domains())));
  }

  private ObjectNode asked(Context context) {
    guard.requireMayChange(context);
    if (!String.valueOf(context.contentType()).startsWith("application/json")) {
      throw new UnsupportedMediaTypeResponse("the body must be application/json");
    }
    return Json.read(context.body());
  }

  private static void accepted(Context context, String commandId) {
    context.status(HttpStatus.ACCEPTED);
    json(context, Json.object().put("commandId", commandId));
  }

  private static int number(Context context, String key, int usual) {
    String text = context.queryParam(key);
    try {
      return text == null ? usual : Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(key + " must be a whole number: '" + text + "'", e);
    }
  }

  private static void json(Context context, JsonNode json) {
    context.contentType("application/json; charset=utf-8");
    context.result(Json.write(json));
  }

  private void refuse(HttpResponseException e, Context context) {
    context.status(e.getStatus());
    json(context, Json.object().put("error", String.valueOf(e.getMessage())));
  }

  private static void fail(Exception e, Context context) {
    HttpStatus status;
    if (e instanceof UnknownRunException) {
      status = HttpStatus.NOT_FOUND;
    } else if (e instanceof IllegalArgumentException || e instanceof BadInputException) {
      status = HttpStatus.BAD_REQUEST;
    } else if (e instanceof KafkaUnreachableException
        || e instanceof UnreachableException
        || e instanceof KafkaException) {
      status = HttpStatus.SERVICE_UNAVAILABLE;
    } else {
      LOG.warn("{} {} failed", context.method(), context.path(), e);
      status = HttpStatus.INTERNAL_SERVER_ERROR;
    }
    context.status(status);
    json(context, Json.object().put("error", String.valueOf(e.getMessage())));
  }

  @Override
  public void close() {
    events.close();
    javalin.stop();
    service.close();
  }
}
