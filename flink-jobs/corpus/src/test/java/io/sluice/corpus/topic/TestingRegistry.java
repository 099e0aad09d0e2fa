package io.sluice.corpus.topic;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A schema registry on this machine, which answers what it is told. */
final class TestingRegistry implements AutoCloseable {
  final Map<Integer, byte[]> answers = new HashMap<>();
  final List<String> asked = Collections.synchronizedList(new ArrayList<>());
  volatile int status = 200;

  /** Until this is counted down, ids below 0 have no answer. */
  final CountDownLatch slow = new CountDownLatch(1);

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  TestingRegistry() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/api/schemas/ids/", this::answer);
    server.setExecutor(threads);
    server.start();
  }

  String url(String user) {
    return "http://" + user + "127.0.0.1:" + server.getAddress().getPort() + "/api/";
  }

  void put(int id, String schema) throws IOException {
    answers.put(id, new ObjectMapper().writeValueAsBytes(Map.of("schema", schema)));
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    int id = Integer.parseUnsignedInt(path.substring(path.lastIndexOf('/') + 1));
    asked.add(id + " " + exchange.getRequestHeaders().getFirst("Authorization"));
    try (exchange) {
      if (id < 0) {
        slow.await();
      }
      byte[] answer = answers.getOrDefault(id, "{\"error_code\": 40403}".getBytes(UTF_8));
      exchange.sendResponseHeaders(answers.containsKey(id) ? status : 404, answer.length);
      exchange.getResponseBody().write(answer);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    slow.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
