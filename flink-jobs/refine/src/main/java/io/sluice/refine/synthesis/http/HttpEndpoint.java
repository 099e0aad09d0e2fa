package io.sluice.refine.synthesis.http;

import io.sluice.control.error.BadInputException;
import io.sluice.control.http.LimitedBody;
import io.sluice.refine.synthesis.Endpoint;
import io.sluice.refine.synthesis.Reply;
import io.sluice.refine.synthesis.Request;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * An endpoint over HTTP that takes OpenAI's chat completions: of OpenAI, vLLM, llama.cpp, SGLang
 * and others. Bounded are the time of an answer, to its last byte, and its size; redirections are
 * not followed.
 *
 * <p>What is answered with 200 and cannot be read, with 408, 425, 429 or 5xx, not in time, or not
 * at all, may be asked again. An address, a key, a model or a method that the endpoint does not
 * know (401, 403, 404, 405) ends everything; other answers refuse the request for good. Answers of
 * 408, 425, 429 and 503 and connections that did not come about have cost nothing.
 */
public final class HttpEndpoint implements Endpoint {
  private static final String PATH = "/chat/completions";
  private static final int OK = 200;
  private static final int SERVER_ERROR = 500;
  private static final Set<Integer> LATER = Set.of(408, 425, 429, 503);
  private static final Set<Integer> NEVER = Set.of(301, 302, 303, 307, 308, 401, 403, 404, 405);
  private static final int ANSWER_BYTES = 4 << 20;

  private final URI url;
  private final Optional<String> key;
  private final Duration patience;
  private final InstantSource clock;
  private final HttpClient client;

  /**
   * An endpoint, of which nothing is asked yet.
   *
   * @param url its address, with or without {@code /v1}, or all of that of its chat completions
   * @param key sent as bearer token and printed nowhere
   * @param patience for an answer, to its last byte
   * @throws BadInputException unless the address is http or https, with a host and without a user
   */
  public HttpEndpoint(String url, Optional<String> key, Duration patience, InstantSource clock) {
    this.url = completions(url);
    this.key = key;
    this.patience = patience;
    this.clock = clock;
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(patience)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
  }

  @Override
  public Reply ask(Request request) throws InterruptedException {
    HttpRequest.Builder http =
        HttpRequest.newBuilder(url)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json")
            .POST(BodyPublishers.ofByteArray(ChatMessages.encode(request)));
    key.ifPresent(token -> http.header("Authorization", "Bearer " + token));
    CompletableFuture<HttpResponse<byte[]>> answer =
        client.sendAsync(http.build(), head -> new LimitedBody(ANSWER_BYTES));
    try {
      return reply(answer.get(patience.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException e) {
      return failed("no answer within " + patience.toMillis() + " ms");
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      boolean free = cause instanceof ConnectException;
      return new Reply.Failed(where() + cause, Optional.empty(), free);
    } finally {
      answer.cancel(true);
    }
  }

  private Reply reply(HttpResponse<byte[]> answer) {
    int status = answer.statusCode();
    if (status == OK) {
      try {
        return ChatMessages.decode(answer.body());
      } catch (IOException e) {
        return failed("its answer cannot be read: " + firstLine(e));
      }
    }
    String said = hidden(ChatMessages.error(answer.body()));
    String reason = "HTTP status " + status + (said.isEmpty() ? "" : ": " + said);
    if (NEVER.contains(status)) {
      throw new BadInputException(
          "--endpoint must be one that knows this address, model and key: " + url + ": " + reason);
    }
    boolean later = LATER.contains(status);
    if (!later && status < SERVER_ERROR) {
      return new Reply.Refused(reason);
    }
    Optional<Duration> after =
        answer
            .headers()
            .firstValue("Retry-After")
            .flatMap(value -> RetryAfter.parse(value, clock.instant()));
    return new Reply.Failed(where() + reason, after, later);
  }

  private Reply failed(String reason) {
    return new Reply.Failed(where() + reason, Optional.empty(), false);
  }

  private String where() {
    return url + ": ";
  }

  /** Endpoints quote the key that they do not like. */
  private String hidden(String text) {
    return key.map(token -> text.replace(token, "***")).orElse(text);
  }

  private static String firstLine(IOException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  private static URI completions(String url) {
    try {
      URI given = new URI(url.replaceFirst("/+$", ""));
      String scheme = given.getScheme();
      boolean usable =
          given.getHost() != null
              && given.getRawUserInfo() == null
              && given.getRawQuery() == null
              && given.getRawFragment() == null
              && ("http".equals(scheme) || "https".equals(scheme));
      if (usable) {
        String path = given.getRawPath();
        String rest = path.endsWith(PATH) ? "" : path.endsWith("/v1") ? PATH : "/v1" + PATH;
        return URI.create(given + rest);
      }
    } catch (URISyntaxException e) {
      // Its message has the whole address, and with it a password that should not be there.
    }
    throw new BadInputException(
        "--endpoint must be 'rule', or http://HOST:PORT or https://HOST:PORT, perhaps with a path,"
            + " and without user, query and fragment");
  }
}
