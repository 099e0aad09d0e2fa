package io.sluice.jobs.prepare.pack;

import io.sluice.jobs.prepare.record.DomainEvent.TokenizedDocument;
import io.sluice.mixture.state.VersionedBytes;
import io.sluice.schema.DatasetSpec;
import java.util.HashSet;
import java.util.Set;

/**
 * Which documents of a domain are held out beyond the dataset's share, so that so many tokens are:
 * until then, every second of its different texts, the second first; a text that the share holds
 * out counts as one of them. Copies stay where the first one went, for ever.
 *
 * <p>For that it remembers the hashes of texts: those held out before there were enough, which lie
 * behind the share; and, until there are enough, those that were not.
 */
final class HeldOutMinimum {
  private static final byte VERSION = 1;

  private final DatasetSpec spec;
  private final Set<Long> heldOut = new HashSet<>();
  private final Set<Long> trained = new HashSet<>();
  private long tokens;
  private boolean changed;

  /** Nothing is held out yet. */
  HeldOutMinimum(DatasetSpec spec) {
    this.spec = spec;
  }

  /** Goes on where the one that gave the {@link #snapshot()} stopped. */
  void restore(byte[] snapshot) {
    VersionedBytes.read(
        "held-out state",
        VERSION,
        snapshot,
        in -> {
          tokens = in.readLong();
          for (long hash : VersionedBytes.readLongs(in)) {
            heldOut.add(hash);
          }
          for (long hash : VersionedBytes.readLongs(in)) {
            trained.add(hash);
          }
          return this;
        });
  }

  /** Everything that later decisions depend on; versioned. */
  byte[] snapshot() {
    changed = false;
    return VersionedBytes.write(
        VERSION,
        out -> {
          out.writeLong(tokens);
          VersionedBytes.write(out, sorted(heldOut));
          VersionedBytes.write(out, sorted(trained));
        });
  }

  /** Whether something has changed since the last snapshot. */
  boolean changed() {
    return changed;
  }

  /** Decides of the domain's next document, which has tokens. */
  boolean takes(TokenizedDocument document) {
    long text = document.deciding();
    if (tokens >= spec.getHeldOutTokens()) {
      return document.heldOut() || heldOut.contains(text);
    }
    if (heldOut.contains(text)) {
      return true;
    }
    boolean second = !trained.contains(text) && heldOut.size() < trained.size();
    if (document.heldOut() || second) {
      hold(document);
      return true;
    }
    changed |= trained.add(text);
    return false;
  }

  private void hold(TokenizedDocument document) {
    heldOut.add(document.deciding());
    tokens += document.tokens().length / spec.getTokenWidth() + 1;
    changed = true;
    if (tokens >= spec.getHeldOutTokens()) {
      trained.clear();
    }
  }

  private static long[] sorted(Set<Long> hashes) {
    return hashes.stream().mapToLong(Long::longValue).sorted().toArray();
  }
}
