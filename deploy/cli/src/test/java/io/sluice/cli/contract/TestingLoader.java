package io.sluice.cli.contract;

import io.sluice.client.run.StreamState;
import java.util.List;

/** The loader of a client in either language, as far as the contract goes. */
interface TestingLoader extends AutoCloseable {
  /**
   * A rank's rows of a batch.
   *
   * @param rows each as its index in the stream, its domain, and its first token
   */
  record Batch(long batch, int timeline, List<String> rows) {}

  /**
   * How a stream is opened.
   *
   * @param attaches whether it takes its rank
   * @param bufferBytes that it reads ahead
   */
  record Opening(int rank, int worldSize, int replica, boolean attaches, long bufferBytes) {
    static final Opening ALONE = new Opening(0, 1, 0, false, 64 << 20);

    Opening of(int rank, int worldSize) {
      return new Opening(rank, worldSize, replica, attaches, bufferBytes);
    }

    Opening withReplica(int another) {
      return new Opening(rank, worldSize, another, attaches, bufferBytes);
    }

    Opening attaching() {
      return new Opening(rank, worldSize, replica, true, bufferBytes);
    }

    Opening withBufferBytes(long bytes) {
      return new Opening(rank, worldSize, replica, attaches, bytes);
    }
  }

  /** An error of a client. */
  final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * @param kind name of its class, without what the language puts behind such names
     */
    Failure(String kind, String message) {
      super(kind + ": " + message);
    }
  }

  Batch next();

  /** How many labels of the last batch count in the loss. */
  int trained();

  StreamState state();

  void seek(StreamState state);

  void seekToBatch(long batch);

  @Override
  void close();
}
