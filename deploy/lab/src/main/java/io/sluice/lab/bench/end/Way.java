package io.sluice.lab.bench.end;

/**
 * One way to deliver tokens.
 *
 * @param client that reads, or the loader that is compared
 */
record Way(Delivery delivery, Turn turn, String client) {
  /** What the others are held against: a loop over arrays that lie in memory-mapped files. */
  static final Way MEMORY_MAP = files("memory-map");

  /** With a loader that reads files, which lie there before. */
  static Way files(String loader) {
    return new Way(Delivery.MEMORY_MAP, Turn.FINISHED, loader);
  }

  /** With one of Sluice's clients. */
  static Way of(Client client, Delivery delivery, Turn turn) {
    return new Way(delivery, turn, client.text());
  }
}
