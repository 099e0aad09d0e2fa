package io.sluice.jobs.prepare.pack;

import io.sluice.mixture.state.VersionedBytes;
import io.sluice.schema.DatasetSpec;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Open blocks among which a document's place is looked for: the one with the least room that has
 * enough of it, the oldest of several. Where none has, another is opened, and the one with the
 * least room, the oldest of several, is closed for it once there are as many as the window holds.
 *
 * <p>Best fit decreasing, but for the sorting, over a stream: Ding et al., "Fewer Truncations
 * Improve Language Modeling" (ICML 2024), pack a whole data set that they have sorted.
 */
final class PackingWindow {
  private static final byte VERSION = 1;

  private final DatasetSpec spec;
  private final int size;
  private final List<OpenBlock> open = new ArrayList<>();

  /**
   * Without a block.
   *
   * @param size most blocks that are open at a time, at least 1
   */
  PackingWindow(DatasetSpec spec, int size) {
    this.spec = spec;
    this.size = size;
  }

  /** Takes the block out that so many tokens are to go into; it is new where none has room. */
  OpenBlock remove(int tokens) {
    int best = -1;
    for (int i = 0; i < open.size(); i++) {
      int room = open.get(i).room();
      if (room >= tokens && (best < 0 || room < open.get(best).room())) {
        best = i;
      }
    }
    return best < 0 ? new OpenBlock(spec) : open.remove(best);
  }

  /** Puts a block back, as the newest; gives the one that is to be closed for it, if any is. */
  Optional<OpenBlock> add(OpenBlock block) {
    open.add(block);
    if (open.size() <= size) {
      return Optional.empty();
    }
    int fullest = 0;
    for (int i = 1; i < open.size(); i++) {
      if (open.get(i).room() < open.get(fullest).room()) {
        fullest = i;
      }
    }
    return Optional.of(open.remove(fullest));
  }

  /** Takes the oldest block out; empty when none is open. */
  Optional<OpenBlock> poll() {
    return open.isEmpty() ? Optional.empty() : Optional.of(open.remove(0));
  }

  /** All open blocks; versioned. */
  void write(DataOutputStream out) throws IOException {
    out.writeInt(open.size());
    for (OpenBlock block : open) {
      block.write(out);
      block.writeCounts(out);
    }
  }

  /** Goes on with the blocks that {@link #write} wrote. */
  void read(DataInputStream in) throws IOException {
    int blocks = in.readInt();
    for (int i = 0; i < blocks; i++) {
      open.add(OpenBlock.read(spec, true, in));
    }
  }

  /** Versioned bytes of a domain's windows. */
  static byte[] snapshot(PackingWindow training, PackingWindow heldOut) {
    return VersionedBytes.write(
        VERSION,
        out -> {
          training.write(out);
          heldOut.write(out);
        });
  }

  /** Goes on where the windows that gave the {@link #snapshot} stopped. */
  static void restore(byte[] snapshot, PackingWindow training, PackingWindow heldOut) {
    VersionedBytes.read(
        "packing window state",
        VERSION,
        snapshot,
        in -> {
          training.read(in);
          heldOut.read(in);
          return training;
        });
  }
}
