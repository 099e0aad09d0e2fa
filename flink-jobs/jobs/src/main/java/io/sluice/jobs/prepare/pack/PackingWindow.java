package io.sluice.jobs.prepare.pack;

import io.sluice.jobs.prepare.dataset.PackingSettings;
import io.sluice.mixture.state.VersionedBytes;
import io.sluice.schema.DatasetSpec;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Open blocks among which a document's place is looked for: the one with the least room that has
 * enough of it, the oldest of several. Where none has, another is opened, and the one with the
 * least room, the oldest of several, is closed for it once there are as many as the window holds. A
 * block that a document went into counts as the youngest.
 *
 * <p>Best fit decreasing, but for the sorting, over a stream: Ding et al., "Fewer Truncations
 * Improve Language Modeling" (ICML 2024), pack a whole data set that they have sorted.
 */
final class PackingWindow {
  /** Of datasets whose blocks carry the ids of documents. */
  private static final byte WITHOUT_ORIGINS = 1;

  private static final byte VERSION = 2;

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

  /**
   * Puts a document into whole blocks and an open one; those that are full or closed go out.
   *
   * @param document its tokens; read to its end
   * @param counted which of them count; all are taken
   */
  void fit(PackedDocument packed, ByteBuffer document, TokenRuns counted, Consumer<OpenBlock> out) {
    int width = spec.getTokenWidth();
    while (document.remaining() / width > spec.getSequenceLength() + 1) {
      OpenBlock whole = new OpenBlock(spec);
      whole.take(packed, document, counted);
      out.accept(whole);
    }
    OpenBlock best = best(document.remaining() / width);
    best.begin();
    best.take(packed, document, counted);
    best.endDocument();
    if (best.room() == 0) {
      out.accept(best);
      return;
    }
    open.add(best);
    if (open.size() > size) {
      out.accept(open.remove(leastRoom(0)));
    }
  }

  /** The open blocks. */
  Stream<OpenBlock> blocks() {
    return open.stream();
  }

  /** Cuts documents out of the open blocks; those of which nothing is left are no more. */
  void cut(Predicate<String> documents) {
    open.replaceAll(block -> block.without(documents));
    open.removeIf(block -> block.used() == 0);
  }

  /** Takes all blocks out. */
  List<OpenBlock> drain() {
    List<OpenBlock> left = List.copyOf(open);
    open.clear();
    return left;
  }

  /** Takes the block out that so many tokens go into; it is new where none has room. */
  private OpenBlock best(int tokens) {
    int best = leastRoom(tokens);
    return best < 0 ? new OpenBlock(spec) : open.remove(best);
  }

  /** The first of the blocks with the least room that have so much of it; -1 if none has. */
  private int leastRoom(int tokens) {
    int least = -1;
    for (int i = 0; i < open.size(); i++) {
      int room = open.get(i).room();
      if (room >= tokens && (least < 0 || room < open.get(least).room())) {
        least = i;
      }
    }
    return least;
  }

  /** All open blocks. */
  void write(DataOutputStream out) throws IOException {
    out.writeInt(open.size());
    for (OpenBlock block : open) {
      block.write(out);
      block.writeCounts(out);
      block.writeOrigins(out);
    }
  }

  /** Goes on with the blocks that {@link #write} wrote. */
  void read(boolean withOrigins, DataInputStream in) throws IOException {
    int blocks = in.readInt();
    for (int i = 0; i < blocks; i++) {
      open.add(OpenBlock.read(spec, true, withOrigins, in));
    }
  }

  /** Versioned bytes of a domain's windows. */
  static byte[] snapshot(PackingWindow training, PackingWindow heldOut) {
    return VersionedBytes.write(
        PackingSettings.hashes(training.spec) ? VERSION : WITHOUT_ORIGINS,
        out -> {
          training.write(out);
          heldOut.write(out);
        });
  }

  /** Goes on where the windows that gave the {@link #snapshot} stopped. */
  static void restore(byte[] snapshot, PackingWindow training, PackingWindow heldOut) {
    VersionedBytes.read(
        "packing window state",
        WITHOUT_ORIGINS,
        VERSION,
        snapshot,
        (version, in) -> {
          training.read(version == VERSION, in);
          heldOut.read(version == VERSION, in);
          return training;
        });
  }
}
