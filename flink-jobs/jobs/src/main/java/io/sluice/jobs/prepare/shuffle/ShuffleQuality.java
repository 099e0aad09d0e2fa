package io.sluice.jobs.prepare.shuffle;

import io.sluice.jobs.prepare.dataset.ShuffleSettings;
import io.sluice.schema.DatasetSpec;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * How well a dataset's shuffle mixes the training documents of a domain, beside a shuffle of all of
 * them at once. It follows from the seed, the domain and the number of documents, as if the domain
 * ended behind them; no document is read.
 *
 * @param documents that this is said of
 * @param distance mean of how far two documents that follow each other were apart in the corpus
 * @param kept share in [0, 1] of the pairs that follow each other which did so in the corpus
 * @param variance of how much of a window of documents is of each stretch of the corpus, where the
 *     corpus is {@value #STRETCHES} equal stretches and the documents are {@value #WINDOWS} windows
 */
public record ShuffleQuality(int documents, Measure distance, Measure kept, Measure variance) {
  /** More than these are not looked at. */
  public static final int MOST_DOCUMENTS = 1_000_000;

  static final int STRETCHES = 10;
  static final int WINDOWS = 100;

  /**
   * One measure.
   *
   * @param here by the dataset's shuffle
   * @param global expected of a shuffle of all documents at once
   */
  public record Measure(double here, double global) {}

  /**
   * The quality for a domain's first documents.
   *
   * @param documents of training that it has
   * @return empty for fewer than 2, which have no order
   */
  public static Optional<ShuffleQuality> of(DatasetSpec spec, String domain, long documents) {
    int count = (int) Math.min(documents, MOST_DOCUMENTS);
    return count < 2 ? Optional.empty() : Optional.of(of(order(spec, domain, count)));
  }

  /** The quality of an order of places in a corpus. */
  public static ShuffleQuality of(int[] order) {
    int documents = order.length;
    double pairs = documents - 1;
    double apart = 0;
    int kept = 0;
    for (int i = 1; i < documents; i++) {
      apart += Math.abs(order[i] - order[i - 1]);
      kept += order[i] == order[i - 1] + 1 ? 1 : 0;
    }
    return new ShuffleQuality(
        documents,
        new Measure(apart / pairs, (documents + 1) / 3.0),
        new Measure(kept / pairs, 1.0 / documents),
        variance(order));
  }

  private static Measure variance(int[] order) {
    int documents = order.length;
    int window = Math.max(1, documents / WINDOWS);
    int windows = documents / window;
    double[] shares = new double[STRETCHES];
    for (int place : order) {
      shares[stretch(place, documents)] += 1.0 / documents;
    }
    double squares = 0;
    for (int w = 0; w < windows; w++) {
      double[] found = new double[STRETCHES];
      for (int i = w * window; i < (w + 1) * window; i++) {
        found[stretch(order[i], documents)] += 1.0 / window;
      }
      for (int s = 0; s < STRETCHES; s++) {
        squares += (found[s] - shares[s]) * (found[s] - shares[s]);
      }
    }
    double drawn = 0;
    for (double share : shares) {
      drawn += share * (1 - share);
    }
    // A window is a draw without putting back: its count of a stretch is hypergeometric.
    double global = drawn / window * (documents - window) / (documents - 1) / STRETCHES;
    return new Measure(squares / windows / STRETCHES, global);
  }

  private static int stretch(int place, int documents) {
    return (int) ((long) place * STRETCHES / documents);
  }

  private static int[] order(DatasetSpec spec, String domain, int documents) {
    boolean global = spec.getShuffleBuffer() == ShuffleSettings.GLOBAL;
    byte[][] kept = new byte[global ? documents : Math.min(spec.getShuffleBuffer(), documents)][];
    Shuffle buffer = Shuffle.of(spec, domain, new Slots(kept), 0, 0);
    int[] order = new int[documents];
    int released = 0;
    for (int place = 0; place < documents; place++) {
      byte[] document = ByteBuffer.allocate(Integer.BYTES).putInt(place).array();
      Optional<byte[]> next = buffer.exchange(document);
      if (next.isPresent()) {
        order[released++] = ByteBuffer.wrap(next.get()).getInt();
      }
    }
    for (Optional<byte[]> left = buffer.drain(); left.isPresent(); left = buffer.drain()) {
      order[released++] = ByteBuffer.wrap(left.get()).getInt();
    }
    return order;
  }

  @SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
  private record Slots(byte[][] documents) implements Shuffle.Slots {
    @Override
    public byte[] get(int slot) {
      return documents[slot];
    }

    @Override
    public void put(int slot, byte[] document) {
      documents[slot] = document;
    }

    @Override
    public void remove(int slot) {}
  }
}
