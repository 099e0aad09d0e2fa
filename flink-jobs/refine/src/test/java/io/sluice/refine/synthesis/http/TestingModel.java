package io.sluice.refine.synthesis.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server of chat completions that behaves as it is told, and counts what it has worked for. */
final class TestingModel implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  final List<JsonNode> asked = new ArrayList<>();
  final List<String> authorized = new ArrayList<>();
  private final CountDownLatch end = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer server;
  private long spent;

  static {
    // Else each answer waits for 40 ms until its head is confirmed.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  /** What it does with a request. */
  @FunctionalInterface
  interface Manner {
    /** The n-th request from 1. */
    void answer(TestingModel model, int n, JsonNode request, HttpExchange exchange)
        throws IOException;
  }

  TestingModel(Manner manner) {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext(
        "/v1/chat/completions",
        exchange -> {
          JsonNode request = JSON.readTree(exchange.getRequestBody());
          int n;
          synchronized (this) {
            asked.add(request);
            authorized.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
            n = asked.size();
          }
          manner.answer(this, n, request, exchange);
        });
    server.setExecutor(threads);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  synchronized int asks() {
    return asked.size();
  }

  synchronized long spent() {
    return spent;
  }

  static String prompt(JsonNode request) {
    return request.path("messages").path(0).path("content").asText();
  }

  /** Answers as it should, and counts. */
  void complete(JsonNode request, HttpExchange exchange, String text) throws IOException {
    byte[] body = completion(request, text);
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  /** The body of an answer, which has been worked for now. */
  byte[] completion(JsonNode request, String text) {
    int prompt = prompt(request).length() / 4;
    int completion = text.length() / 4;
    synchronized (this) {
      spent += prompt + completion;
    }
    ObjectNode root = JSON.createObjectNode();
    ObjectNode choice = root.putArray("choices").addObject().put("finish_reason", "stop");
    choice.putObject("message").put("role", "assistant").put("content", text);
    root.putObject("usage").put("prompt_tokens", prompt).put("completion_tokens", completion);
    return root.toString().getBytes(StandardCharsets.UTF_8);
  }

  static void send(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  /** Says nothing until the server is closed. */
  void hang() {
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Sends without an end, until nobody listens. */
  static void flood(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, 0);
    byte[] part = "{\"choices\": [".repeat(1000).getBytes(StandardCharsets.UTF_8);
    while (true) {
      exchange.getResponseBody().write(part);
    }
  }

  @Override
  public void close() {
    end.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
