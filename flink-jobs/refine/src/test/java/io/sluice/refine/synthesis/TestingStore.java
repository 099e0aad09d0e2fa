package io.sluice.refine.synthesis;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A store in memory. */
final class TestingStore implements AnswerStore {
  final Map<RequestKey, Reply.Settled> replies = new HashMap<>();
  private final Map<RequestKey, Long> open = new HashMap<>();
  private long spent;

  @Override
  public synchronized Optional<Reply.Settled> get(RequestKey key) {
    return Optional.ofNullable(replies.get(key));
  }

  @Override
  public synchronized boolean has(RequestKey key) {
    return replies.containsKey(key);
  }

  @Override
  public synchronized void reserve(RequestKey key, long tokens) {
    open.put(key, tokens);
  }

  @Override
  public synchronized void settle(RequestKey key, long tokens) {
    open.remove(key);
    spent += tokens;
  }

  @Override
  public synchronized void put(RequestKey key, Reply.Settled reply, long tokens) {
    settle(key, tokens);
    replies.put(key, reply);
  }

  @Override
  public synchronized long spent() {
    return spent + open.values().stream().mapToLong(Long::longValue).sum();
  }

  @Override
  public void close() {}
}
