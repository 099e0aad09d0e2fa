package io.sluice.control.line;

/**
 * One line of a file, without its end.
 *
 * @param number from 1
 * @param bytes the line, or its beginning when it is too long
 * @param length whole length of the line in bytes
 */
public record Line(long number, byte[] bytes, long length) {
  /** True if the bytes are only the beginning. */
  public boolean truncated() {
    return bytes.length < length;
  }
}
