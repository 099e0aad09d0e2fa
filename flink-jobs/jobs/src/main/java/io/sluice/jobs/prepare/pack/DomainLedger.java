package io.sluice.jobs.prepare.pack;

import io.sluice.mixture.state.VersionedBytes;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.Ledger;
import io.sluice.schema.LedgerCounts;
import java.util.Optional;

/**
 * What became of a domain's documents and of their tokens. Each is counted where it comes in and
 * where it goes, so that the sums say whether one was lost or went twice.
 */
final class DomainLedger {
  private static final byte VERSION = 1;

  private final DatasetSpec spec;
  private final String domain;
  private boolean known = true;
  private long refused;
  private long empty;
  private long heldOut;
  private long heldOutTokens;
  private long shuffled;
  private long shuffledTokens;
  private long packed;
  private long packedTokens;

  /** Nothing came yet. */
  DomainLedger(DatasetSpec spec, String domain) {
    this.spec = spec;
    this.domain = domain;
  }

  /** Goes on where the one that gave the {@link #snapshot()} stopped. */
  void restore(byte[] snapshot) {
    VersionedBytes.read(
        "ledger state",
        VERSION,
        snapshot,
        in -> {
          refused = in.readLong();
          empty = in.readLong();
          heldOut = in.readLong();
          heldOutTokens = in.readLong();
          shuffled = in.readLong();
          shuffledTokens = in.readLong();
          packed = in.readLong();
          packedTokens = in.readLong();
          known = true;
          return this;
        });
  }

  /** Goes on behind documents that nobody counted: nothing is said of the domain. */
  void lose() {
    known = false;
  }

  /** All counts of a domain that has not ended, versioned; empty where some are lost. */
  Optional<byte[]> snapshot() {
    return known ? Optional.of(bytes()) : Optional.empty();
  }

  /** So many records came that are no usable documents. */
  void refuse(int records) {
    refused += records;
  }

  /** A document came that has no token. */
  void empty() {
    empty++;
  }

  /** A document of so many tokens came, those around it included, and is held out. */
  void holdOut(long tokens) {
    heldOut++;
    heldOutTokens += tokens;
  }

  /** A document of so many tokens came, those around it included, and is shuffled. */
  void shuffle(long tokens) {
    shuffled++;
    shuffledTokens += tokens;
  }

  /** A shuffled document of so many tokens went to the packer. */
  void pack(long tokens) {
    packed++;
    packedTokens += tokens;
  }

  /**
   * The counts so far; empty where some are lost.
   *
   * @param documents that came and could be used
   * @param waiting documents in the shuffle buffer
   * @param packer of the training documents
   * @throws IllegalStateException if a document or a token was lost, or went twice
   */
  Optional<Ledger> counts(long documents, int waiting, BlockPacker packer) {
    if (!known) {
      return Optional.empty();
    }
    long blockTokens = packer.blocks() * (spec.getSequenceLength() + 1L) - packer.padding();
    long openTokens = packer.openTokens() + packer.leftOver();
    require("documents that came", documents, empty + heldOut + shuffled);
    require("documents that were shuffled", shuffled, packed + waiting);
    require("tokens that were packed", packedTokens, blockTokens + openTokens);
    int open = packer.openDocuments();
    LedgerCounts byDocument =
        LedgerCounts.newBuilder()
            .setIn(documents + refused)
            .setBlocks(packed - open)
            .setHeldOut(heldOut)
            .setBuffered(waiting + open)
            .setDeadLetters(refused + empty)
            .build();
    LedgerCounts byToken =
        LedgerCounts.newBuilder()
            .setIn(shuffledTokens + heldOutTokens + packer.padding())
            .setBlocks(blockTokens)
            .setPadding(packer.padding())
            .setHeldOut(heldOutTokens)
            .setBuffered(shuffledTokens - packedTokens + openTokens)
            .build();
    return Optional.of(new Ledger(byDocument, byToken));
  }

  private void require(String what, long came, long went) {
    if (came != went) {
      throw new IllegalStateException(
          "dataset '%s', domain '%s': %s are %d, but %d are found: one was lost or went twice"
              .formatted(spec.getName(), domain, what, came, went));
    }
  }

  private byte[] bytes() {
    return VersionedBytes.write(
        VERSION,
        out -> {
          out.writeLong(refused);
          out.writeLong(empty);
          out.writeLong(heldOut);
          out.writeLong(heldOutTokens);
          out.writeLong(shuffled);
          out.writeLong(shuffledTokens);
          out.writeLong(packed);
          out.writeLong(packedTokens);
        });
  }
}
