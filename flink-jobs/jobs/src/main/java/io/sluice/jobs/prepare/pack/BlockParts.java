package io.sluice.jobs.prepare.pack;

import io.sluice.jobs.prepare.dataset.PackingSettings;
import io.sluice.jobs.serial.Bytes;
import io.sluice.schema.BlockLineage;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.Limits;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.set.IdHash;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Which documents a block's tokens are of, as far as it is filled. */
final class BlockParts {
  private final boolean hashed;
  private final List<Integer> lengths = new ArrayList<>();
  private final List<String> ids = new ArrayList<>();

  /** Of each part, where blocks carry hashes. */
  private final List<Origin> origins = new ArrayList<>();

  private boolean open;

  /**
   * Which tokens of a document a part has.
   *
   * @param tokens those that are no padding; 0 of what only fills a block
   */
  private record Origin(int start, int tokens, long content) {
    static final Origin NONE = new Origin(0, 0, 0);
  }

  /** None yet. */
  BlockParts(DatasetSpec spec) {
    this.hashed = PackingSettings.hashes(spec);
  }

  /** What comes next is of another document. */
  void begin() {
    open = false;
  }

  /**
   * Adds a part of a document.
   *
   * @param start the token of the document that it begins with
   */
  void add(PackedDocument document, int start, int tokens) {
    lengths.add(tokens);
    ids.add(document.id());
    if (hashed) {
      origins.add(new Origin(start, tokens, document.content()));
    }
    open = true;
  }

  /** Adds a part of others, without its padding. */
  void add(BlockParts others, int part, int tokens) {
    lengths.add(tokens);
    ids.add(others.ids.get(part));
    if (hashed) {
      origins.add(others.origins.get(part));
    }
    open = true;
  }

  /** Adds padding to the document's part, or as a part of its own where none is open. */
  void pad(int tokens) {
    if (open) {
      int last = lengths.size() - 1;
      lengths.set(last, lengths.get(last) + tokens);
    } else {
      lengths.add(tokens);
      ids.add("");
      if (hashed) {
        origins.add(Origin.NONE);
      }
    }
  }

  /** Whether a part is of one of these documents. */
  boolean isOf(int part, Predicate<String> documents) {
    return documents.test(ids.get(part));
  }

  /** Whether some part is. */
  boolean anyOf(Predicate<String> documents) {
    return ids.stream().anyMatch(documents);
  }

  int length(int part) {
    return lengths.get(part);
  }

  int size() {
    return lengths.size();
  }

  List<Integer> lengths() {
    return List.copyOf(lengths);
  }

  /** What the block has of the documents' ids. */
  List<String> ids(String domain) {
    return hashed
        ? IntStream.range(0, ids.size())
            .mapToObj(part -> isDocument(part) ? IdHash.of(domain, ids.get(part)) : "")
            .toList()
        : Limits.blockIds(ids);
  }

  private boolean isDocument(int part) {
    return origins.get(part).tokens() > 0;
  }

  /** What is said of the finished block beside it, where it has hashes. */
  Optional<BlockLineage> lineage(TokenBlock block) {
    if (!hashed) {
      return Optional.empty();
    }
    ByteBuffer hashes = ByteBuffer.allocate(IdHash.BYTES * size());
    ByteBuffer contents = ByteBuffer.allocate(Long.BYTES * size());
    List<Integer> starts = new ArrayList<>();
    List<Integer> tokens = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int part = 0; part < size(); part++) {
      if (isDocument(part)) {
        hashes.put(IdHash.bytes(block.getDocumentIds().get(part)));
        contents.putLong(origins.get(part).content());
        starts.add(origins.get(part).start());
        tokens.add(origins.get(part).tokens());
        names.add(ids.get(part));
      }
    }
    List<String> kept = Limits.blockIds(names);
    return Optional.of(
        BlockLineage.newBuilder()
            .setFingerprint(block.getFingerprint())
            .setDomain(block.getDomain())
            .setHeldOut(false)
            .setLane(block.getLane())
            .setOrdinal(block.getOrdinal())
            .setHashes(hashes.flip())
            .setContents(contents.flip())
            .setStarts(starts)
            .setTokens(tokens)
            .setNames(kept)
            .setWhole(kept.equals(names))
            .build());
  }

  void write(DataOutputStream out) throws IOException {
    out.writeInt(ids.size());
    for (int part = 0; part < ids.size(); part++) {
      out.writeInt(lengths.get(part));
      Bytes.writeText(out, ids.get(part));
    }
  }

  /** What {@link #write} leaves out, where blocks carry hashes. */
  void writeOrigins(DataOutputStream out) throws IOException {
    for (Origin origin : origins) {
      out.writeInt(origin.start());
      out.writeInt(origin.tokens());
      out.writeLong(origin.content());
    }
  }

  void read(DataInputStream in) throws IOException {
    int parts = in.readInt();
    for (int part = 0; part < parts; part++) {
      lengths.add(in.readInt());
      ids.add(Bytes.readText(in));
    }
  }

  void readOrigins(DataInputStream in) throws IOException {
    while (origins.size() < ids.size()) {
      origins.add(new Origin(in.readInt(), in.readInt(), in.readLong()));
    }
  }
}
