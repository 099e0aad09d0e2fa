package io.sluice.refine.synthesis.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.refine.synthesis.AnswerStore;
import io.sluice.refine.synthesis.Endpoint;
import io.sluice.refine.synthesis.Reply;
import io.sluice.refine.synthesis.RequestKey;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A process that dies before a step: from then on it does nothing. Steps are what changes something
 * outside of it, and its death may lie before or behind each.
 *
 * @param steps that are left
 * @param kept keys of what is on disk, of all processes
 */
record KilledSynthesis(AtomicInteger steps, Set<RequestKey> kept) {
  /** The process is dead. */
  static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  static KilledSynthesis after(int steps, Set<RequestKey> kept) {
    return new KilledSynthesis(new AtomicInteger(steps), kept);
  }

  static Set<RequestKey> nothingKept() {
    return ConcurrentHashMap.newKeySet();
  }

  void step() {
    if (steps.getAndDecrement() <= 0) {
      throw new Killed();
    }
  }

  /** What is on disk is not asked. */
  Endpoint endpoint(Endpoint endpoint) {
    return request -> {
      step();
      assertThat(kept).doesNotContain(request.key());
      Reply reply = endpoint.ask(request);
      step();
      return reply;
    };
  }

  AnswerStore store(AnswerStore store) {
    return new AnswerStore() {
      @Override
      public Optional<Reply.Settled> get(RequestKey key) {
        return store.get(key);
      }

      @Override
      public boolean has(RequestKey key) {
        return store.has(key);
      }

      @Override
      public void reserve(RequestKey key, long tokens) {
        step();
        store.reserve(key, tokens);
      }

      @Override
      public void settle(RequestKey key, long tokens) {
        step();
        store.settle(key, tokens);
      }

      @Override
      public void put(RequestKey key, Reply.Settled reply, long tokens) {
        step();
        store.put(key, reply, tokens);
        kept.add(key);
        step();
      }

      @Override
      public long spent() {
        return store.spent();
      }

      @Override
      public void close() {
        store.close();
      }
    };
  }

  /** Attempts by prompt, from 1. */
  static int attempt(Map<String, Integer> attempts, String prompt) {
    return attempts.merge(prompt, 1, Integer::sum);
  }
}
