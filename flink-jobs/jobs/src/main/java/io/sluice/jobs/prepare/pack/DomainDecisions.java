package io.sluice.jobs.prepare.pack;

import io.sluice.jobs.prepare.log.CommittedSupply;
import io.sluice.jobs.prepare.log.Decisions;
import io.sluice.jobs.prepare.record.DomainEvent.RangeRefused;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.RangeVerdict;
import io.sluice.schema.ShuffleRelease;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.specific.SpecificRecordBase;

/** What is decided in a domain by what its documents do not tell: what is committed, and more. */
final class DomainDecisions {
  /** A packing's state is of the first version that knows what has happened. */
  static final byte NONE = 1;

  private static final byte RELEASES = 2;

  /** Behind the end marker, while documents are still drawn. */
  private static final byte DRAINING = 3;

  private static final byte REFUSED_RANGES = 4;

  static final byte VERSION = 5;

  private final DatasetSpec spec;
  private final String domain;
  private final Decisions committed;
  private final DomainForgetting forgetting;
  private final List<SpecificRecordBase> unwritten = new ArrayList<>();

  /** Documents before the last release by time; 0 before the first. */
  private long released;

  /** Records of the corpus up to the last range that was refused, with it; 0 before the first. */
  private long refusedRange;

  /** Whether one came after all that is committed. */
  private boolean ahead;

  /**
   * @param committed those that happen again where they did
   */
  DomainDecisions(
      DatasetSpec spec, String domain, Decisions committed, DomainForgetting forgetting) {
    this.spec = spec;
    this.domain = domain;
    this.committed = committed;
    this.forgetting = forgetting;
  }

  /** The version of the state of a packing. */
  byte version(boolean draining) {
    if (forgetting.times() > 0 || refusedRange > 0) {
      return forgetting.times() > 0 ? VERSION : REFUSED_RANGES;
    }
    if (draining) {
      return DRAINING;
    }
    return released > 0 ? RELEASES : NONE;
  }

  void write(boolean draining, DataOutput state) throws IOException {
    byte version = version(draining);
    if (version >= RELEASES) {
      state.writeLong(released);
    }
    if (version >= REFUSED_RANGES) {
      state.writeLong(refusedRange);
      state.writeBoolean(draining);
    }
    if (version == VERSION) {
      state.writeInt(forgetting.times());
    }
  }

  /**
   * Goes on where those stopped that were written.
   *
   * @return whether the packing was draining
   */
  boolean read(int version, DataInput state) throws IOException {
    released = version >= RELEASES ? state.readLong() : 0;
    refusedRange = version >= REFUSED_RANGES ? state.readLong() : 0;
    ahead =
        released > committed.releases().last() || refusedRange > committed.refusedRanges().last();
    boolean draining = version >= REFUSED_RANGES ? state.readBoolean() : version == DRAINING;
    forgetting.restore(version == VERSION ? state.readInt() : 0);
    return draining;
  }

  /**
   * Checks that nothing is missing of what restored state knows.
   *
   * @param packed what that has packed
   * @throws IllegalStateException if a transaction was lost
   */
  void requireCommitted(CommittedSupply supply, CommittedSupply packed) {
    if (released > 0 && !committed.releases().has(released)) {
      throw supply.lost(domain, packed + " and a release after document " + released);
    }
    if (refusedRange > 0 && !committed.refusedRanges().has(refusedRange)) {
      throw supply.lost(
          domain, packed + " and a verdict on the range at offset " + (refusedRange - 1));
    }
    if (forgetting.isLost()) {
      throw supply.lost(domain, packed + " without documents that were forgotten");
    }
  }

  /** Whether one came after all that is committed, of which no document tells. */
  boolean ahead() {
    return ahead || forgetting.ahead();
  }

  /** Whether, by what is committed, all documents went after so many. */
  boolean releasedAfter(long documents) {
    boolean then = committed.releases().has(documents);
    if (then) {
      released = documents;
    }
    return then;
  }

  /** Whether what is decided after so many documents would come before what is committed. */
  boolean follow(long documents) {
    return documents < committed.releases().last() || forgetting.follows();
  }

  /** All documents go, after so many. */
  void release(long documents) {
    ahead = true;
    released = documents;
    unwritten.add(new ShuffleRelease(spec.getName(), spec.getFingerprint(), domain, documents));
  }

  /**
   * A range cannot be read.
   *
   * @param again whether what comes of it is committed
   * @throws IllegalStateException if what is committed was made with its documents
   */
  void refuse(RangeRefused range, boolean again) {
    long place = range.offset() + 1;
    if (committed.refusedRanges().has(place)) {
      return;
    }
    if (again || place < committed.refusedRanges().last()) {
      throw new IllegalStateException(
          "domain '"
              + domain
              + "': documents of the range at offset "
              + range.offset()
              + " of its corpus are in committed blocks, which cannot be made again without it: "
              + range.reason());
    }
    ahead = true;
    refusedRange = place;
    unwritten.add(
        new RangeVerdict(
            spec.getName(), spec.getFingerprint(), domain, range.offset(), range.reason()));
  }

  /** Those that are not written yet, which are from now on. */
  List<SpecificRecordBase> take() {
    List<SpecificRecordBase> taken = new ArrayList<>(unwritten);
    taken.addAll(forgetting.take());
    unwritten.clear();
    return taken;
  }
}
