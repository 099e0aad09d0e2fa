package io.sluice.jobs.prepare;

import io.sluice.jobs.serial.Bytes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Where each ended domain's corpus ends: the offset of its end marker. */
final class EndMarkers {
  private static final byte VERSION = 1;

  private final Map<String, Long> offsets = new HashMap<>();

  void add(String domain, long offset) {
    offsets.put(domain, offset);
  }

  /** Whether the offset lies behind the domain's end marker. */
  boolean closed(String domain, long offset) {
    Long end = offsets.get(domain);
    return end != null && offset > end;
  }

  /** Offset of the domain's end marker; the domain must have one. */
  long offsetOf(String domain) {
    return Objects.requireNonNull(offsets.get(domain));
  }

  /** One versioned entry for each marker, so that entries of several readers can be merged. */
  List<byte[]> snapshot() {
    List<byte[]> entries = new ArrayList<>();
    offsets.forEach((domain, offset) -> entries.add(entry(domain, offset)));
    return entries;
  }

  /** Adds an entry of a {@link #snapshot()}. */
  void restore(byte[] entry) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(entry))) {
      Bytes.requireVersion("end marker", VERSION, in.readByte());
      offsets.put(Bytes.readText(in), in.readLong());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] entry(String domain, long offset) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      Bytes.writeText(out, domain);
      out.writeLong(offset);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
