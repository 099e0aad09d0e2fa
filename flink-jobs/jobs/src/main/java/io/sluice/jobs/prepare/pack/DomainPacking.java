package io.sluice.jobs.prepare.pack;

import io.sluice.jobs.prepare.record.DomainEvent;
import io.sluice.jobs.prepare.record.DomainEvent.CorpusEnded;
import io.sluice.jobs.prepare.record.DomainEvent.DocumentRefused;
import io.sluice.jobs.prepare.record.DomainEvent.TokenizedDocument;
import io.sluice.jobs.prepare.record.OutputRecord;
import io.sluice.jobs.serial.Bytes;
import io.sluice.mixture.state.VersionedBytes;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.EndOfDomain;
import io.sluice.schema.Ledger;
import io.sluice.schema.ShuffleRelease;
import io.sluice.schema.Supply;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.Topics;
import io.sluice.schema.WireCodec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
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
  /** Without releases the state is of version 1, which knows none. */
  private static final byte WITHOUT_RELEASE = 1;

  private static final byte VERSION = 2;

  /** What it takes without a block. */
  private static final long OWN_BYTES = 1L << 11;

  /** Held-out documents do not wait for a block that they fit, since runs wait for them. */
  private static final int HELD_OUT_WINDOW = 1;

  private final DatasetSpec spec;
  private final Topics topics;
  private final String domain;
  private final ShuffleBuffer.Slots slots;
  private final CommittedSupply committed;
  private final Releases releases;
  private final HeldOutMinimum minimum;
  private final DomainLedger ledger;
  private final LongSupplier clock;
  private final Consumer<OutputRecord> out;
  private final BlockPacker training;
  private final BlockPacker heldOut;
  private ShuffleBuffer shuffle;
  private long documents;
  private boolean ended;

  /** Documents before the last release by time; 0 before the first. */
  private long released;

  /** Whether a release came after all that is committed, of which no document tells. */
  private boolean ahead;

  /** Releases that are not written yet. */
  private final List<ShuffleRelease> unwritten = new ArrayList<>();

  /**
   * Packing from the first document on.
   *
   * @param slots keep the shuffle buffer's documents
   * @param committed what need not be written again
   * @param releases those that are committed, which happen again where they did
   * @param clock milliseconds since the epoch, which blocks carry
   */
  DomainPacking(
      DatasetSpec spec,
      Topics topics,
      String domain,
      ShuffleBuffer.Slots slots,
      CommittedSupply committed,
      Releases releases,
      LongSupplier clock,
      Consumer<OutputRecord> out) {
    this.spec = spec;
    this.topics = topics;
    this.domain = domain;
    this.slots = slots;
    this.committed = committed;
    this.releases = releases;
    this.minimum = new HeldOutMinimum(spec);
    this.ledger = new DomainLedger(spec, domain);
    this.clock = clock;
    this.out = out;
    shuffle = new ShuffleBuffer(spec, domain, slots, 0, 0);
    training = new BlockPacker(spec, domain);
    heldOut = new BlockPacker(spec, domain, HELD_OUT_WINDOW);
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
    if (released > 0 && !releases.has(released)) {
      throw committed.lost(domain, packed() + " and a release after document " + released);
    }
    releaseAgain();
  }

  /**
   * The same where a packing of this very execution stopped, whose output goes its way.
   *
   * @see #restore
   */
  void goOn(byte[] snapshot, byte @Nullable [] open) {
    VersionedBytes.read(
        "domain packing state",
        WITHOUT_RELEASE,
        VERSION,
        snapshot,
        (version, in) -> {
          documents = in.readLong();
          ended = in.readBoolean();
          shuffle = new ShuffleBuffer(spec, domain, slots, in.readInt(), in.readLong());
          training.restore(Bytes.read(in));
          heldOut.restore(Bytes.read(in));
          released = version == WITHOUT_RELEASE ? 0 : in.readLong();
          return this;
        });
    if (open != null) {
      PackingWindow.restore(open, training.window().orElseThrow(), heldOut.window().orElseThrow());
    }
    ledger.lose();
    ahead = released > releases.last();
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
        released == 0 ? WITHOUT_RELEASE : VERSION,
        state -> {
          state.writeLong(documents);
          state.writeBoolean(ended);
          state.writeInt(shuffle.size());
          state.writeLong(shuffle.picks());
          Bytes.write(state, training.snapshot());
          Bytes.write(state, heldOut.snapshot());
          if (released > 0) {
            state.writeLong(released);
          }
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
    if (ended) {
      throw new IllegalStateException("domain '" + domain + "' goes on after its end marker");
    }
    if (event instanceof TokenizedDocument document) {
      documents++;
      if (document.tokens().length > 0) {
        pack(document);
      } else {
        ledger.empty();
      }
      releaseAgain();
      if (documents == committed.documents() && !committed.ended()) {
        committed.requireSame(domain, packed());
      }
    } else if (event instanceof DocumentRefused) {
      ledger.refuse();
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
    boolean again =
        committed.ended() || documents < Math.max(committed.documents(), releases.last());
    if (again || shuffle.size() == 0) {
      return false;
    }
    ahead = true;
    released = documents;
    drain();
    unwritten.add(new ShuffleRelease(spec.getName(), spec.getFingerprint(), domain, released));
    return true;
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
   * Emits what can be read once everything emitted so far is committed, and the releases by time
   * that are part of it.
   */
  void emitSupply() {
    byte[] name = domain.getBytes(StandardCharsets.UTF_8);
    for (ShuffleRelease release : unwritten) {
      emit(topics.releases(spec.getName()), 0, clock.getAsLong(), name, release);
    }
    unwritten.clear();
    Ledger counts = counts().orElse(null);
    for (int lane = 0; lane < spec.getLanes(); lane++) {
      Supply supply =
          new Supply(
              spec.getName(),
              spec.getFingerprint(),
              domain,
              lane,
              training.blocks(lane),
              heldOut.blocks(lane),
              training.trainedTokens(),
              documents,
              ended,
              (long) shuffle.size(),
              training.padding(),
              lane == 0 ? counts : null);
      byte[] key = (domain + "/" + lane).getBytes(StandardCharsets.UTF_8);
      emit(topics.supply(spec.getName()), 0, training.blocks(lane), key, supply);
    }
  }

  /** What became of everything accepted so far; empty where nobody counted some of it. */
  Optional<Ledger> counts() {
    return ledger.counts(documents, shuffle.size(), training);
  }

  /** What everything accepted so far comes to, once it is committed. */
  CommittedSupply packed() {
    return new CommittedSupply(documents, training.blocks(), heldOut.blocks(), ended);
  }

  private void pack(TokenizedDocument document) {
    ByteBuffer tokens = ByteBuffer.wrap(document.tokens());
    if (minimum.takes(document)) {
      ledger.holdOut(withEnd(tokens));
      heldOut.append(document.id(), tokens, document.counted(), this::emitHeldOut);
    } else {
      ledger.shuffle(withEnd(tokens));
      shuffle.exchange(ShuffledDocument.write(document)).ifPresent(this::packReleased);
    }
  }

  /** Releases again what was released after the documents so far. */
  private void releaseAgain() {
    if (shuffle.size() > 0 && releases.has(documents)) {
      released = documents;
      drain();
    }
  }

  private void drain() {
    for (Optional<byte[]> left = shuffle.drain(); left.isPresent(); left = shuffle.drain()) {
      packReleased(left.get());
    }
  }

  private void end() {
    ended = true;
    drain();
    training.finish().forEach(this::emitTraining);
    heldOut.finish().forEach(this::emitHeldOut);
    if (committed.ended() || documents < committed.documents()) {
      committed.requireSame(domain, packed());
    }
    for (int lane = 0; lane < spec.getLanes(); lane++) {
      emitMarker(topics.blocks(spec.getName(), domain), lane, training.blocks(lane));
      emitMarker(topics.eval(spec.getName(), domain), lane, heldOut.blocks(lane));
    }
  }

  private void packReleased(byte[] buffered) {
    ShuffledDocument document = ShuffledDocument.read(buffered);
    ledger.pack(withEnd(document.tokens()));
    training.append(document.id(), document.tokens(), document.counted(), this::emitTraining);
  }

  /** Tokens of a document and the one behind it. */
  private long withEnd(ByteBuffer tokens) {
    return tokens.remaining() / spec.getTokenWidth() + 1L;
  }

  private void emitTraining(TokenBlock block) {
    emitBlock(topics.blocks(spec.getName(), domain), block);
  }

  private void emitHeldOut(TokenBlock block) {
    emitBlock(topics.eval(spec.getName(), domain), block);
  }

  private void emitBlock(String topic, TokenBlock block) {
    block.setProducedAtMillis(clock.getAsLong());
    emit(topic, block.getLane(), block.getOrdinal(), OutputRecord.NO_KEY, block);
  }

  private void emitMarker(String topic, int lane, long size) {
    emit(topic, lane, size, OutputRecord.NO_KEY, new EndOfDomain(domain, lane, size));
  }

  private void emit(
      String topic, int partition, long timestamp, byte[] key, SpecificRecordBase message) {
    if (!alreadyCommitted()) {
      out.accept(new OutputRecord(topic, partition, timestamp, key, WireCodec.encode(message)));
    }
  }

  /**
   * Supply counts whole documents: what the committed ones gave is in the log. The output of the
   * end, or of a release, follows the last of them.
   */
  private boolean alreadyCommitted() {
    return committed.ended() || (!ended && !ahead && documents <= committed.documents());
  }
}
