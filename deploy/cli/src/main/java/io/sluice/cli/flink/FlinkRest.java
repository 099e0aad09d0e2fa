package io.sluice.cli.flink;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cli.options.Printable;
import io.sluice.control.config.Durations;
import io.sluice.control.error.BadInputException;
import io.sluice.control.error.CheckFailedException;
import io.sluice.control.error.UnreachableException;
import io.sluice.control.http.LimitedBody;
import io.sluice.schema.Limits;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Flink's REST interface, as any HTTP server may answer in its place: bounded are the time of an
 * answer, to its last byte, and its size; redirections are not followed.
 */
public final class FlinkRest {
  /** Most bytes of an answer: a job has a few hundred for each of its tasks. */
  public static final int ANSWER_BYTES = 16 << 20;

  /** What a job manager, or what stands before it, says while there is none that leads. */
  private static final Set<Integer> LATER = Set.of(502, 503, 504);

  private static final int FIRST_REFUSAL = 300;
  private static final Duration ANSWER = Duration.ofSeconds(30);
  private static final Duration UPLOAD = Duration.ofMinutes(10);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final URI url;
  private final Duration patience;
  private final HttpClient client;

  /**
   * One of which nothing is asked yet.
   *
   * @param patience how long {@link #reach} waits
   * @throws BadInputException unless the address is http or https, with a host and without a user
   */
  public FlinkRest(String url, Duration patience) {
    this.url = parsed(url);
    this.patience = patience;
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(patience)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
  }

  private static URI parsed(String url) {
    try {
      URI given = new URI(url.replaceFirst("/+$", ""));
      boolean web = "http".equals(given.getScheme()) || "https".equals(given.getScheme());
      if (web
          && given.getHost() != null
          && given.getRawUserInfo() == null
          && given.getRawQuery() == null
          && given.getRawFragment() == null) {
        return given;
      }
    } catch (URISyntaxException e) {
      // Its message has the whole address, and with it a password that should not be there.
    }
    throw new BadInputException(
        "--flink must be http://HOST:PORT or https://HOST:PORT of Flink's REST interface, perhaps"
            + " with a path, and without user, query and fragment");
  }

  /** Its address. */
  public URI url() {
    return url;
  }

  /**
   * Asks as the first, whom nobody may keep waiting.
   *
   * @throws UnreachableException within the patience, if nothing answers
   */
  public FlinkAnswer reach(String path) {
    return ask("GET", path, BodyPublishers.noBody(), "", patience);
  }

  /**
   * Asks for something.
   *
   * @throws UnreachableException if nothing answers, or who does has no job manager at the moment
   * @throws CheckFailedException if it refuses, or what it says is not JSON
   */
  public FlinkAnswer get(String path) {
    return ask("GET", path, BodyPublishers.noBody(), "", ANSWER);
  }

  /** Asks that something is done, with the same errors as {@link #get}. */
  public FlinkAnswer post(String path, JsonNode request) {
    return post(path, request, ANSWER);
  }

  /** The same for what may take longer. */
  public FlinkAnswer post(String path, JsonNode request, Duration limit) {
    return ask(
        "POST", path, BodyPublishers.ofString(request.toString()), "application/json", limit);
  }

  /** Asks that something is removed, with the same errors as {@link #get}. */
  public void delete(String path) {
    ask("DELETE", path, BodyPublishers.noBody(), "", ANSWER);
  }

  /** Sends a jar, with the same errors as {@link #get}. */
  public FlinkAnswer upload(String path, Path jar) {
    String boundary = "sluice-" + UUID.randomUUID();
    String name = jar.getFileName().toString().replaceAll("[^A-Za-z0-9._-]", "_");
    String head =
        "--%s\r\nContent-Disposition: form-data; name=\"jarfile\"; filename=\"%s\"\r\nContent-Type: application/x-java-archive\r\n\r\n"
            .formatted(boundary, name);
    try {
      BodyPublisher parts =
          BodyPublishers.concat(
              BodyPublishers.ofString(head),
              BodyPublishers.ofFile(jar),
              BodyPublishers.ofString("\r\n--" + boundary + "--\r\n"));
      return ask("POST", path, parts, "multipart/form-data; boundary=" + boundary, UPLOAD);
    } catch (FileNotFoundException e) {
      throw new BadInputException("--jar must be a file that can be read: " + jar, e);
    }
  }

  private FlinkAnswer ask(
      String method, String path, BodyPublisher body, String type, Duration limit) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + path))
            .header("Accept", "application/json")
            .method(method, body);
    if (!type.isEmpty()) {
      request.header("Content-Type", type);
    }
    CompletableFuture<HttpResponse<byte[]>> answer =
        client.sendAsync(request.build(), head -> new LimitedBody(ANSWER_BYTES));
    try {
      return read(method + " " + path, answer.get(limit.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException e) {
      throw silent("no answer within " + Durations.format(limit), e);
    } catch (ExecutionException e) {
      throw silent(reason(e.getCause() == null ? e : e.getCause()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw silent("asking was interrupted", e);
    } finally {
      answer.cancel(true);
    }
  }

  /** Java's client says nothing where a connection is refused. */
  private static String reason(Throwable cause) {
    Throwable said = cause;
    while (said.getMessage() == null && said.getCause() != null) {
      said = said.getCause();
    }
    return said.getMessage() == null ? "no connection" : Printable.line(said.getMessage());
  }

  private UnreachableException silent(String how, Exception cause) {
    return new UnreachableException(
        "Flink is unreachable at " + url + ": " + how + "; --flink must be its REST address",
        cause);
  }

  private FlinkAnswer read(String question, HttpResponse<byte[]> answer) {
    int status = answer.statusCode();
    JsonNode body;
    try {
      body = JSON.readTree(answer.body());
    } catch (JsonProcessingException e) {
      body = JSON.missingNode();
    } catch (IOException e) {
      throw silent(String.valueOf(e.getMessage()), e);
    }
    if (LATER.contains(status)) {
      throw new UnreachableException(
          "Flink at %s has no job manager that answers: HTTP status %d".formatted(url, status));
    }
    if (status >= FIRST_REFUSAL) {
      throw new CheckFailedException(
          "Flink at %s refuses %s: %s".formatted(url, question, FlinkRefusal.of(status, body)));
    }
    if (body.isMissingNode()) {
      throw new CheckFailedException(
          "what answers at %s is not Flink: its answer to %s, HTTP status %d, is no JSON: %s"
              .formatted(url, question, status, shown(answer.body())));
    }
    return new FlinkAnswer(question, body);
  }

  private static String shown(byte[] body) {
    int most = Math.min(body.length, Limits.TEXT);
    return "'" + Printable.line(new String(body, 0, most, StandardCharsets.UTF_8)) + "'";
  }
}
