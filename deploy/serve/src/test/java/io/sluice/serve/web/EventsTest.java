package io.sluice.serve.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.javalin.Javalin;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class EventsTest {
  /** Reads lines up to one. */
  private static void awaitLine(BufferedReader lines, String wanted) throws Exception {
    String line = lines.readLine();
    while (!wanted.equals(line)) {
      assertThat(line).isNotNull();
      line = lines.readLine();
    }
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aPageIsToldOfWhatChangesWhereRunsStandAndInItsRun() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    try (Events events = new Events(() -> "{\"asked\":" + asked.incrementAndGet() + "}")) {
      Javalin javalin =
          Javalin.create(
              config -> {
                config.startup.showJavalinBanner = false;
                config.jetty.host = "127.0.0.1";
                config.jetty.port = 0;
                config.routes.sse("/events", client -> events.add(client, "a.1"));
              });
      javalin.start();
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(
                  HttpClient.newHttpClient()
                      .send(
                          HttpRequest.newBuilder(
                                  URI.create("http://127.0.0.1:" + javalin.port() + "/events"))
                              .header("Accept", "text/event-stream")
                              .build(),
                          HttpResponse.BodyHandlers.ofInputStream())
                      .body(),
                  StandardCharsets.UTF_8))) {
        awaitLine(lines, "event: runs");
        events.changed("b.1");
        events.changed("a.1");
        awaitLine(lines, "event: run");
        awaitLine(lines, "data: {\"runId\":\"a.1\"}");
        events.changed();
        awaitLine(lines, "event: runs");
      }
      // Who is gone is noticed when it is to be told something.
      while (events.open() > 0) {
        events.changed();
        Thread.onSpinWait();
      }
      events.close();
      javalin.stop();
    }
    assertThat(asked.get()).isGreaterThanOrEqualTo(2);
  }
}
