package io.sluice.lab.reproduce.corpus;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;

/** What a model of bytes comes to that knows only how often each of them comes. */
public final class ByteEntropy {
  private ByteEntropy() {}

  /**
   * The entropy of single bytes in a text, in nats: no such model has a lower loss; NaN of none.
   */
  public static double of(List<Passage> text) {
    long[] counts = new long[1 << Byte.SIZE];
    long bytes = 0;
    for (Passage passage : text) {
      for (byte each : passage.text().getBytes(UTF_8)) {
        counts[each & 0xFF]++;
        bytes++;
      }
    }
    double entropy = bytes == 0 ? Double.NaN : 0;
    for (long count : counts) {
      if (count > 0) {
        double share = (double) count / bytes;
        entropy -= share * Math.log(share);
      }
    }
    return entropy;
  }
}
