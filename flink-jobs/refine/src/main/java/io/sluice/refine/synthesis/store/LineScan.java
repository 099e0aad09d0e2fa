package io.sluice.refine.synthesis.store;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/** The lines of a file from its beginning, but for a last one without a line feed. */
final class LineScan {
  /** Far more than the longest reply with all of its characters escaped. */
  private static final int LONGEST = 128 << 20;

  private static final int BUFFER = 1 << 16;

  private final InputStream in;
  private final long size;
  private long start;
  private long end;

  /** A scan of a file that nobody else reads through its position. */
  LineScan(FileChannel channel) throws IOException {
    channel.position(0);
    this.in = new BufferedInputStream(Channels.newInputStream(channel), BUFFER);
    this.size = channel.size();
  }

  /** The next line without its line feed; null if there is no whole one. */
  byte @Nullable [] next() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next >= 0 && line.size() < LONGEST; next = in.read()) {
      if (next == '\n') {
        start = end;
        end += line.size() + 1;
        return line.toByteArray();
      }
      line.write(next);
    }
    return null;
  }

  /** Where the last line begins. */
  long start() {
    return start;
  }

  /** Whether nothing is behind the last line. */
  boolean atEnd() {
    return end == size;
  }
}
