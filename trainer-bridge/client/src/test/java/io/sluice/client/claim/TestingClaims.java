package io.sluice.client.claim;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The claims of several processes, in memory. */
public final class TestingClaims {
  private final List<byte[]> messages = new ArrayList<>();

  synchronized void append(byte[] message) {
    messages.add(message);
  }

  synchronized int size() {
    return messages.size();
  }

  synchronized byte[] get(int index) {
    return messages.get(index);
  }

  /** The log as one process sees it. */
  public ClaimLog open() {
    return new ClaimLog() {
      private int position = -1;

      @Override
      public void publish(byte[] message) {
        append(message);
        position = position < 0 ? size() : position;
      }

      @Override
      public void readOn(Consumer<byte[]> sink) {
        while (position < size()) {
          sink.accept(get(position++));
        }
      }

      @Override
      public void close() {
        // Nothing is held.
      }
    };
  }
}
