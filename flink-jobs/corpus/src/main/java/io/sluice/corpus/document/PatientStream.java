package io.sluice.corpus.document;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A stream that has something done before it waits for more. */
final class PatientStream extends FilterInputStream {
  private final Runnable beforeWaiting;

  PatientStream(InputStream in, Runnable beforeWaiting) {
    super(in);
    this.beforeWaiting = beforeWaiting;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (available() == 0) {
      beforeWaiting.run();
    }
    return super.read(target, offset, length);
  }
}
