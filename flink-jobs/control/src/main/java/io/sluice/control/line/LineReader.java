package io.sluice.control.line;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Lines of a stream, as bytes, ended by LF or CR LF. A line over the limit is read to its end but
 * only its beginning is kept, so memory stays bounded whatever the input.
 */
public final class LineReader {
  private static final int BUFFER = 64 << 10;

  private final InputStream in;
  private final int limit;
  private final int keptOfLonger;
  private final byte[] buffer = new byte[BUFFER];
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
  private int position;
  private int end;
  private long number;
  private long place;
  private long stop = Long.MAX_VALUE;

  /**
   * A reader.
   *
   * @param limit longest line that is kept whole
   * @param keptOfLonger bytes that are kept of a longer one
   */
  public LineReader(InputStream in, int limit, int keptOfLonger) {
    this.in = in;
    this.limit = limit;
    this.keptOfLonger = Math.min(limit, keptOfLonger);
  }

  /** The next line; null at the end. */
  public @Nullable Line next() throws IOException {
    if (rest() == 0 && !fill()) {
      return null;
    }
    kept.reset();
    long length = 0;
    boolean complete = false;
    while (!complete && (rest() > 0 || fill())) {
      int until = position + rest();
      int newline = indexOfNewline(until);
      int part = (newline < 0 ? until : newline) - position;
      // One byte more than the limit: it may be the CR of a line that fits.
      kept.write(buffer, position, (int) Math.min(part, limit + 1L - kept.size()));
      length += part;
      pass(part + (newline < 0 ? 0 : 1));
      complete = newline >= 0;
    }
    number++;
    return line(kept.toByteArray(), length);
  }

  /** Bytes that were read. */
  public long place() {
    return place;
  }

  /** Lines that were read. */
  public long number() {
    return number;
  }

  /** Takes all that was read so far for so many lines and bytes. */
  public void count(long lines, long bytes) {
    number = lines;
    place = bytes;
  }

  /** Behind so many bytes there is nothing, as far as lines are concerned. */
  public void endAt(long bytes) {
    stop = bytes;
  }

  /**
   * Reads on without looking, up to so many lines and bytes in all.
   *
   * @throws java.io.EOFException if there are fewer bytes
   */
  public void skipTo(long lines, long bytes) throws IOException {
    int here = (int) Math.min(end - position, bytes - place);
    position += here;
    in.skipNBytes(bytes - place - here);
    count(lines, bytes);
  }

  private Line line(byte[] bytes, long length) {
    boolean whole = bytes.length == length;
    boolean endsInReturn = whole && length > 0 && bytes[bytes.length - 1] == '\r';
    int content = endsInReturn ? bytes.length - 1 : bytes.length;
    if (whole && content <= limit) {
      return new Line(number, endsInReturn ? Arrays.copyOf(bytes, content) : bytes, content);
    }
    return new Line(number, Arrays.copyOf(bytes, Math.min(bytes.length, keptOfLonger)), length);
  }

  /** Bytes that are here and may be read. */
  private int rest() {
    return (int) Math.min(end - position, stop - place);
  }

  private void pass(int bytes) {
    position += bytes;
    place += bytes;
  }

  private int indexOfNewline(int until) {
    for (int i = position; i < until; i++) {
      if (buffer[i] == '\n') {
        return i;
      }
    }
    return -1;
  }

  private boolean fill() throws IOException {
    if (position < end || place == stop) {
      return false;
    }
    position = 0;
    end = Math.max(0, in.read(buffer));
    return end > 0;
  }
}
