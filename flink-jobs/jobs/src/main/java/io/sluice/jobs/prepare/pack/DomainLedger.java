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
  private static final byte NONE_FORGOTTEN = 1;
  private static final byte VERSION = 2;

  private final DatasetSpec spec;
  private final String domain;
  private boolean known = true;
  private long refused;
  private long empty;
  private final LedgerCount heldOut = new LedgerCount();
  private final LedgerCount shuffled = new LedgerCount();
  private final LedgerCount packed = new LedgerCount();
  private final LedgerCount forgotten = new LedgerCount();

  /** Nothing came yet. */
  DomainLedger(DatasetSpec spec, String domain) {
    this.spec = spec;
    this.domain = domain;
  }

  /** Goes on where the one that gave the {@link #snapshot()} stopped. */
  void restore(byte[] snapshot) {
    VersionedBytes.read(
        "ledger state",
        NONE_FORGOTTEN,
        VERSION,
        snapshot,
        (version, in) -> {
          refused = in.readLong();
          empty = in.readLong();
          heldOut.read(in);
          shuffled.read(in);
          packed.read(in);
          if (version == VERSION) {
            forgotten.read(in);
          }
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
    heldOut.add(1, tokens);
  }

  /** A document of so many tokens came, those around it included, and is shuffled. */
  void shuffle(long tokens) {
    shuffled.add(1, tokens);
  }

  /** A shuffled document of so many tokens went to the packer. */
  void pack(long tokens) {
    packed.add(1, tokens);
  }

  /** A document of so many tokens came that is to be forgotten. */
  void forget(long tokens) {
    forgotten.add(1, tokens);
  }

  /** A shuffled document of so many tokens is forgotten. */
  void forgetShuffled(long tokens) {
    shuffled.add(-1, -tokens);
    forgotten.add(1, tokens);
  }

  /** The ends of so many documents, of so many tokens, were cut out of open blocks. */
  void cut(long documents, long tokens) {
    packed.add(-documents, -tokens);
    shuffled.add(-documents, -tokens);
    forgotten.add(documents, tokens);
  }

  /** The same of held-out ones. */
  void cutHeldOut(long documents, long tokens) {
    heldOut.add(-documents, -tokens);
    forgotten.add(documents, tokens);
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
    long came = empty + heldOut.documents() + shuffled.documents() + forgotten.documents();
    require("documents that came", documents, came);
    require("documents that were shuffled", shuffled.documents(), packed.documents() + waiting);
    require("tokens that were packed", packed.tokens(), blockTokens + openTokens);
    int open = packer.openDocuments();
    LedgerCounts byDocument =
        LedgerCounts.newBuilder()
            .setIn(documents + refused)
            .setBlocks(packed.documents() - open)
            .setHeldOut(heldOut.documents())
            .setBuffered(waiting + open)
            .setForgotten(forgotten.documents())
            .setDeadLetters(refused + empty)
            .build();
    LedgerCounts byToken =
        LedgerCounts.newBuilder()
            .setIn(shuffled.tokens() + heldOut.tokens() + forgotten.tokens() + packer.padding())
            .setBlocks(blockTokens)
            .setPadding(packer.padding())
            .setHeldOut(heldOut.tokens())
            .setBuffered(shuffled.tokens() - packed.tokens() + openTokens)
            .setForgotten(forgotten.tokens())
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
        forgotten.documents() > 0 ? VERSION : NONE_FORGOTTEN,
        out -> {
          out.writeLong(refused);
          out.writeLong(empty);
          heldOut.write(out);
          shuffled.write(out);
          packed.write(out);
          if (forgotten.documents() > 0) {
            forgotten.write(out);
          }
        });
  }
}
