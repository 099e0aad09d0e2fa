package io.sluice.jobs.prepare.pack;

import io.sluice.jobs.prepare.dataset.ShuffleSettings;
import io.sluice.jobs.prepare.log.CommittedSupply;
import io.sluice.jobs.prepare.log.Decisions;
import io.sluice.jobs.prepare.record.DomainEvent;
import io.sluice.jobs.prepare.record.DomainEvent.CorpusEnded;
import io.sluice.jobs.prepare.record.DomainEvent.DocumentRefused;
import io.sluice.jobs.prepare.record.DomainEvent.RangeRefused;
import io.sluice.jobs.prepare.record.DomainEvent.TokenizedDocument;
import io.sluice.jobs.prepare.shuffle.Shuffle;
import io.sluice.jobs.serial.Bytes;
import io.sluice.jobs.write.OutputRecord;
import io.sluice.mixture.state.VersionedBytes;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.Ledger;
import io.sluice.schema.Topics;
import io.sluice.schema.set.DocumentKeys;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.avro.specific.SpecificRecordBase;
import org.jspecify.annotations.Nullable;

/**
 * One domain's way from tokenized documents to blocks: training documents through the shuffle
 * buffer and one packer, held-out documents in order through another.
 */
final class DomainPacking {
  /** What it takes without a block. */
  private static final long OWN_BYTES = 1L << 11;

  /** Held-out documents do not wait for a block that they fit, since runs wait for them. */
  private static final int HELD_OUT_WINDOW = 1;

  private final DatasetSpec spec;
  private final String domain;
  private final Shuffle.Slots slots;
  private final CommittedSupply committed;
  private final DomainDecisions decisions;
  private final DomainForgetting forgetting;
  private final HeldOutMinimum minimum;
  private final DomainLedger ledger;
  private final DomainOutput output;
  private final NewBlocks blocks;
  private final BlockPacker training;
  private final BlockPacker heldOut;
  private Shuffle shuffle;
  private long documents;

  /** Whether the end marker came; documents may still wait to be drawn. */
  private boolean ending;

  private boolean ended;

  /**
   * Packing from the first document on.
   *
   * @param slots keep the shuffle buffer's documents
   * @param committed what need not be written again
   * @param decisions those that are committed, which happen again where they did
   * @param clock milliseconds since the epoch, which blocks carry
   */
  DomainPacking(
      DatasetSpec spec,
      Topics topics,
      String domain,
      Shuffle.Slots slots,
      CommittedSupply committed,
      Decisions decisions,
      LongSupplier clock,
      Consumer<OutputRecord> out) {
    this.spec = spec;
    this.domain = domain;
    this.slots = slots;
    this.committed = committed;
    this.forgetting = new DomainForgetting(spec, domain, decisions.forgotten());
    this.decisions = new DomainDecisions(spec, domain, decisions, forgetting);
    this.minimum = new HeldOutMinimum(spec);
    this.ledger = new DomainLedger(spec, domain);
    this.output = new DomainOutput(spec, topics, domain, clock, out);
    this.blocks = new NewBlocks(committed, this::alreadyCommitted, output);
    shuffle = Shuffle.of(spec, domain, slots, 0, 0);
    training = new BlockPacker(spec, domain, blocks::lineage);
    heldOut = new BlockPacker(spec, domain, HELD_OUT_WINDOW, blocks::heldOutLineage);
  }

  /**
   * Goes on where a packing of an earlier execution stopped, with its slots; its {@link #ledger()}
   * is lost until it is restored, too.
   *
   * @param snapshot what {@link #snapshot()} gave
   * @param open what {@link #openBlocks()} gave; null if that was empty
   * @throws IllegalStateException if not all of what was packed is committed
   */
  void restore(byte[] snapshot, byte @Nullable [] open) {
    goOn(snapshot, open);
    committed.requireAtLeast(domain, packed());
    if (draining() && committed.isBehind(packed())) {
      throw committed.lost(domain, packed().toString());
    }
    decisions.requireCommitted(committed, packed());
  }

  /**
   * The same where a packing of this very execution stopped, whose output goes its way.
   *
   * @see #restore
   */
  void goOn(byte[] snapshot, byte @Nullable [] open) {
    VersionedBytes.read(
        "domain packing state",
        DomainDecisions.NONE,
        DomainDecisions.VERSION,
        snapshot,
        (version, in) -> {
          documents = in.readLong();
          ended = in.readBoolean();
          shuffle = Shuffle.of(spec, domain, slots, in.readInt(), in.readLong());
          training.restore(Bytes.read(in));
          heldOut.restore(Bytes.read(in));
          ending = decisions.read(version, in) || ended;
          return this;
        });
    if (open != null) {
      PackingWindow.restore(open, training.window().orElseThrow(), heldOut.window().orElseThrow());
    }
    ledger.lose();
  }

  /** Blocks among which documents are fitted; versioned, empty where they are concatenated. */
  Optional<byte[]> openBlocks() {
    return training
        .window()
        .map(window -> PackingWindow.snapshot(window, heldOut.window().orElseThrow()));
  }

  /** Everything but the shuffle buffer's documents and the open blocks; versioned. */
  byte[] snapshot() {
    return VersionedBytes.write(
        decisions.version(draining()),
        state -> {
          state.writeLong(documents);
          state.writeBoolean(ended);
          state.writeInt(shuffle.size());
          state.writeLong(shuffle.picks());
          Bytes.write(state, training.snapshot());
          Bytes.write(state, heldOut.snapshot());
          decisions.write(draining(), state);
        });
  }

  /** Which documents are held out beyond the share; its state is kept beside the packing's. */
  HeldOutMinimum minimum() {
    return minimum;
  }

  /** What became of the documents; its state is kept beside the packing's. */
  DomainLedger ledger() {
    return ledger;
  }

  /** Takes the domain's next event. */
  void accept(DomainEvent event) {
    if (ending) {
      throw new IllegalStateException("domain '" + domain + "' goes on after its end marker");
    }
    decideAgain();
    if (event instanceof TokenizedDocument document) {
      documents++;
      take(document);
      decideAgain();
      if (documents == committed.documents() && !committed.ended() && !isGlobal()) {
        committed.requireSame(domain, packed());
      }
    } else if (event instanceof DocumentRefused) {
      ledger.refuse(1);
    } else if (event instanceof RangeRefused range) {
      decisions.refuse(range, committed.ended() || documents < committed.documents());
      ledger.refuse(range.records());
    } else if (event instanceof CorpusEnded) {
      end();
    }
  }

  /**
   * Lets all documents go that wait in the shuffle buffer, as if the domain had ended but that the
   * last block stays open. What is committed already is packed again as it was: until then, nothing
   * goes but where it went.
   *
   * @return whether any went
   */
  boolean release() {
    decideAgain();
    if (isRepeated() || shuffle.size() == 0) {
      return false;
    }
    decisions.release(documents);
    drain();
    return true;
  }

  /**
   * Leaves out from here on what everybody is to forget: documents that come, those that wait once
   * they are drawn, and the parts of others in open blocks. What is committed already is packed
   * again as it was: until then, nothing is forgotten but where it was.
   *
   * @return whether any of the domain's was not forgotten before
   */
  boolean forget(DocumentKeys known) {
    if (ended || forgetting.knows(known)) {
      return false;
    }
    decideAgain();
    boolean any = !isRepeated() && forgetting.add(known, steps());
    if (any) {
      cut();
    }
    return any;
  }

  /** About how much of the heap it takes, but for the shuffled documents. */
  long bytes() {
    return OWN_BYTES + training.bytes() + heldOut.bytes();
  }

  /** Documents that wait in the shuffle buffer. */
  int waiting() {
    return shuffle.size();
  }

  /** Documents that ever came into the shuffle buffer. */
  long entered() {
    return shuffle.entered();
  }

  /**
   * Emits what can be read once everything emitted so far is committed, and the decisions that are
   * part of it.
   */
  void emitSupply() {
    List<SpecificRecordBase> decided = decisions.take();
    if (!alreadyCommitted()) {
      decided.forEach(output::decision);
    }
    if (alreadyCommitted() || packed().isBehind(committed)) {
      return;
    }
    output.supply(training, heldOut, documents, ended, shuffle.size(), counts().orElse(null));
  }

  /** What became of everything accepted so far; empty where nobody counted some of it. */
  Optional<Ledger> counts() {
    return ledger.counts(documents, shuffle.size(), training);
  }

  /** What everything accepted so far comes to, once it is committed. */
  CommittedSupply packed() {
    return new CommittedSupply(documents, training.blocks(), heldOut.blocks(), ended);
  }

  private void take(TokenizedDocument document) {
    ByteBuffer tokens = ByteBuffer.wrap(document.tokens());
    if (!tokens.hasRemaining()) {
      ledger.empty();
    } else if (forgetting.has(document.id())) {
      ledger.forget(withEnd(tokens));
    } else if (minimum.takes(document)) {
      ledger.holdOut(withEnd(tokens));
      heldOut.append(document.id(), tokens, document.counted(), blocks::heldOut);
    } else {
      ledger.shuffle(withEnd(tokens));
      shuffle.exchange(ShuffledDocument.write(document)).ifPresent(this::packReleased);
    }
  }

  /** Decides again what was decided after the documents so far. */
  private void decideAgain() {
    forgetAgain();
    if (shuffle.size() > 0 && !ending && decisions.releasedAfter(documents)) {
      drain();
      forgetAgain();
    }
  }

  private void forgetAgain() {
    if (forgetting.again(steps())) {
      cut();
    }
  }

  private void cut() {
    training.cut(forgetting::has, ledger::cut);
    heldOut.cut(forgetting::has, ledger::cutHeldOut);
  }

  /** What has happened so far that has a place, but that documents were forgotten. */
  private long steps() {
    return documents + shuffle.picks() + (ending ? 1 : 0);
  }

  /** Whether what comes next is committed, or decided. */
  private boolean isRepeated() {
    return committed.ended()
        || documents < committed.documents()
        || decisions.follow(documents)
        || packed().isBehind(committed);
  }

  private void drain() {
    for (Optional<byte[]> left = shuffle.drain(); left.isPresent(); left = shuffle.drain()) {
      packReleased(left.get());
    }
  }

  private void end() {
    ending = true;
    heldOut.finish().forEach(blocks::heldOut);
    if (!isGlobal()) {
      drain();
      finish();
    } else if (shuffle.size() == 0) {
      finish();
    }
  }

  /** Whether documents wait to be drawn although the end marker came: {@link #draw} is due. */
  boolean draining() {
    return ending && !ended;
  }

  /**
   * Draws the next of the documents that wait behind the end marker, and ends after the last.
   *
   * @param bytes of documents after which it is enough; one is drawn at least
   */
  void draw(long bytes) {
    long drawn = 0;
    do {
      forgetAgain();
      byte[] next = shuffle.drain().orElseThrow();
      drawn += next.length;
      packReleased(next);
    } while (drawn < bytes && shuffle.size() > 0);
    if (shuffle.size() == 0) {
      finish();
    }
  }

  private boolean isGlobal() {
    return spec.getShuffleBuffer() == ShuffleSettings.GLOBAL;
  }

  private void finish() {
    training.finish().forEach(blocks::training);
    ended = true;
    if (committed.ended() || documents < committed.documents() || packed().isBehind(committed)) {
      committed.requireSame(domain, packed());
    }
    for (int lane = 0; lane < spec.getLanes() && !alreadyCommitted(); lane++) {
      output.end(lane, training.blocks(lane), heldOut.blocks(lane));
    }
  }

  private void packReleased(byte[] buffered) {
    ShuffledDocument document = ShuffledDocument.read(buffered);
    if (forgetting.has(document.id())) {
      ledger.forgetShuffled(withEnd(document.tokens()));
      return;
    }
    ledger.pack(withEnd(document.tokens()));
    training.append(document.id(), document.tokens(), document.counted(), blocks::training);
  }

  /** Tokens of a document and the one behind it. */
  private long withEnd(ByteBuffer tokens) {
    return tokens.remaining() / spec.getTokenWidth() + 1L;
  }

  /**
   * Supply counts whole documents: what the committed ones gave is in the log. The output of the
   * end, or of a release, follows the last of them; where the end takes several steps, each block
   * is looked at.
   */
  private boolean alreadyCommitted() {
    return committed.ended()
        || (!ending && !decisions.ahead() && documents <= committed.documents());
  }
}
