package io.sluice.corpus.topic;

import io.sluice.control.error.BadInputException;
import io.sluice.control.error.UnreachableException;
import io.sluice.control.http.LimitedBody;
import io.sluice.control.line.RefusedException;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Schemas of a registry with Confluent's HTTP API, each asked for once. That a registry does not
 * know a schema, or that it is of no use, is said of each record that has it; that a registry
 * cannot be asked is an error, since then nothing can be said of the record. Bounded are the time
 * of an answer, its size, the attempts, and the schemas that are remembered. Thread-safe.
 */
public final class SchemaRegistry {
  /** Most bytes of an answer. */
  static final int ANSWER_BYTES = 1 << 20;

  static final int REMEMBERED = 1000;
  private static final int ATTEMPTS = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;

  private final URI url;
  private final String shown;
  private final @Nullable String authorization;
  private final Duration patience;
  private final HttpClient client;
  private final Map<Integer, RegistryAnswer> known =
      new LinkedHashMap<>(16, .75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, RegistryAnswer> eldest) {
          return size() > REMEMBERED;
        }
      };

  /**
   * A registry, of which nothing is asked yet.
   *
   * @param url its address, with the user's name and password in it if it wants them; these are
   *     printed nowhere
   * @throws BadInputException unless it is http or https, with a host
   */
  public SchemaRegistry(String url) {
    this(url, PATIENCE);
  }

  /** The same with other patience for an answer. */
  SchemaRegistry(String url, Duration patience) {
    URI given = parsed(url);
    String user = given.getUserInfo();
    this.authorization =
        user == null
            ? null
            : "Basic " + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8));
    int port = given.getPort();
    this.shown =
        given.getScheme()
            + "://"
            + given.getHost()
            + (port < 0 ? "" : ":" + port)
            + String.valueOf(given.getRawPath()).replaceFirst("/+$", "");
    this.url = URI.create(shown + "/");
    this.patience = patience;
    this.client =
        HttpClient.newBuilder()
            .connectTimeout(patience)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
  }

  private static URI parsed(String url) {
    try {
      URI given = new URI(url);
      String scheme = given.getScheme();
      if (given.getHost() != null
          && given.getRawQuery() == null
          && given.getRawFragment() == null
          && ("http".equals(scheme) || "https".equals(scheme))) {
        return given;
      }
    } catch (URISyntaxException e) {
      // Its message has the whole URL, and with it the password.
    }
    throw new BadInputException(
        "--schema-registry must be http://HOST:PORT or https://HOST:PORT, perhaps with a path, and"
            + " with USER:PASSWORD@ before the host");
  }

  /**
   * A schema by its id.
   *
   * @throws RefusedException if there is none that can be used
   * @throws UnreachableException if the registry does not say
   */
  synchronized Schema schema(int id) throws RefusedException {
    RegistryAnswer found = known.get(id);
    if (found == null) {
      found = asked(id);
      known.put(id, found);
    }
    Schema schema = found.schema();
    if (schema == null) {
      throw new RefusedException("schema " + id + " " + found.refusal());
    }
    return schema;
  }

  private RegistryAnswer asked(int id) {
    String failure = "";
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      try {
        HttpResponse<byte[]> answer = answer(id);
        if (answer.statusCode() == OK) {
          return RegistryAnswer.known(answer.body());
        }
        if (answer.statusCode() == NOT_FOUND) {
          return RegistryAnswer.refused("is not known to the registry");
        }
        failure = "HTTP status " + answer.statusCode();
      } catch (RegistryAnswer.UselessException e) {
        throw failed(id, String.valueOf(e.getMessage()), e);
      } catch (IOException e) {
        failure = e.toString();
      }
    }
    throw failed(id, failure, null);
  }

  private HttpResponse<byte[]> answer(int id) throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(url.resolve("schemas/ids/" + Integer.toUnsignedString(id)))
            .header("Accept", "application/vnd.schemaregistry.v1+json, application/json");
    if (authorization != null) {
      request.header("Authorization", authorization);
    }
    CompletableFuture<HttpResponse<byte[]>> answer =
        client.sendAsync(request.build(), head -> new LimitedBody(ANSWER_BYTES));
    try {
      return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new IOException("no answer within " + patience.toMillis() + " ms", e);
    } catch (ExecutionException e) {
      throw new IOException(String.valueOf(e.getCause()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed(id, "interrupted", e);
    } finally {
      answer.cancel(true);
    }
  }

  private UnreachableException failed(int id, String how, @Nullable Exception cause) {
    return new UnreachableException(
        "--schema-registry " + shown + " does not give schema " + id + ": " + how, cause);
  }
}
