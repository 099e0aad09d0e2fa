package io.sluice.jobs.prepare.read;

import io.sluice.jobs.serial.Bytes;
import io.sluice.mixture.state.VersionedBytes;
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
    Map<String, Long> read =
        VersionedBytes.read(
            "end marker state", VERSION, entry, in -> Map.of(Bytes.readText(in), in.readLong()));
    offsets.putAll(read);
  }

  private static byte[] entry(String domain, long offset) {
    return VersionedBytes.write(
        VERSION,
        out -> {
          Bytes.writeText(out, domain);
          out.writeLong(offset);
        });
  }
}
