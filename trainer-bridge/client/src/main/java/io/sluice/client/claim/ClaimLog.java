package io.sluice.client.claim;

import java.util.function.Consumer;

/** Where the processes of a run's trainers say which rank they take. */
interface ClaimLog extends AutoCloseable {
  /** Writes a record, waits until it is there, and reads on from the one after it. */
  void publish(byte[] message);

  /** Passes on what was written since, by anyone. */
  void readOn(Consumer<byte[]> sink);

  @Override
  void close();
}
