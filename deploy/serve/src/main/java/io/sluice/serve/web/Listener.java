package io.sluice.serve.web;

import io.javalin.http.sse.SseClient;
import io.sluice.serve.view.Json;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A page that is open: what it is to be sent next, and the thread that sends it. */
final class Listener {
  private static final long ALIVE_MILLIS = 15_000;

  private final SseClient client;
  private final String run;
  private final Thread thread;
  private @Nullable String runs;
  private boolean moved;
  private boolean stopped;

  Listener(SseClient client, String run) {
    this.client = client;
    this.run = run;
    thread = new Thread(this::send, "sluice-page");
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Takes where all runs stand, in the place of what was not sent yet. */
  synchronized void offerRuns(String now) {
    runs = now;
    notifyAll();
  }

  /** Takes which runs have come further. */
  synchronized void offerMoves(Set<String> runIds) {
    if (runIds.contains(run)) {
      moved = true;
      notifyAll();
    }
  }

  synchronized void stop() {
    stopped = true;
    notifyAll();
  }

  void close() {
    client.close();
  }

  private void send() {
    try {
      while (!client.terminated()) {
        String standing;
        boolean further;
        synchronized (this) {
          if (runs == null && !moved && !stopped) {
            wait(ALIVE_MILLIS);
          }
          if (stopped) {
            return;
          }
          standing = runs;
          further = moved;
          runs = null;
          moved = false;
        }
        send(standing, further);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      client.close();
    }
  }

  private void send(@Nullable String standing, boolean further) {
    if (standing != null) {
      client.sendEvent("runs", standing);
    }
    if (further) {
      client.sendEvent("run", Json.write(Json.object().put("runId", run)));
    }
    if (standing == null && !further) {
      client.sendComment("nothing has changed");
    }
  }
}
