package io.sluice.refine.synthesis;

import java.util.Optional;

/**
 * What endpoints have replied, by request, and what that has cost. A reply that was put is there
 * for good, as is a reservation: whoever dies after it has paid for it. Thread-safe.
 */
public interface AnswerStore extends AutoCloseable {
  /** The reply to a request that has been settled. */
  Optional<Reply.Settled> get(RequestKey key);

  /** Whether there is a reply. */
  boolean has(RequestKey key);

  /** Notes, before a request is asked, what it may cost; it has cost that until it is settled. */
  void reserve(RequestKey key, long tokens);

  /** Notes what an attempt without reply has cost. */
  void settle(RequestKey key, long tokens);

  /** Keeps the reply to a request, and what the attempt has cost. */
  void put(RequestKey key, Reply.Settled reply, long tokens);

  /** Tokens of all attempts ever made, those not settled as reserved. */
  long spent();

  @Override
  void close();
}
