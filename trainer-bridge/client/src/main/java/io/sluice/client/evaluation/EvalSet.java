package io.sluice.client.evaluation;

import io.sluice.client.block.MaskedDocuments;
import io.sluice.client.error.EvalSetException;
import io.sluice.schema.EndOfDomain;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.apache.avro.specific.SpecificRecordBase;

/** The held-out blocks of one domain while they are read: a partition for each lane. */
final class EvalSet {
  private static final Comparator<TokenBlock> ORDER =
      Comparator.comparingLong(TokenBlock::getOrdinal).thenComparingInt(TokenBlock::getLane);

  private final String domain;
  private final long fingerprint;
  private final int maxBlocks;
  private final MaskedDocuments masked;
  private final List<List<TokenBlock>> lanes = new ArrayList<>();
  private final BitSet done = new BitSet();

  EvalSet(String domain, long fingerprint, int maxBlocks, MaskedDocuments masked) {
    this.domain = domain;
    this.fingerprint = fingerprint;
    this.maxBlocks = maxBlocks;
    this.masked = masked;
  }

  void expectPartitions(int count) {
    while (lanes.size() < count) {
      lanes.add(new ArrayList<>());
    }
  }

  /** Takes a record; whether its partition has now given all that is needed. */
  boolean take(int partition, byte[] value) {
    SpecificRecordBase message = decode(value);
    List<TokenBlock> lane = lanes.get(partition);
    if (message instanceof EndOfDomain) {
      done.set(partition);
    } else if (message instanceof TokenBlock block && !done.get(partition)) {
      requireDataset(block);
      TokenBlock left = masked.masked(block);
      if (left.getTrainedTokens() > 0 || block.getTrainedTokens() == 0) {
        lane.add(left);
        done.set(partition, lane.size() == maxBlocks);
      }
    }
    if (isComplete() && lanes.stream().allMatch(List::isEmpty)) {
      throw new EvalSetException(
          "domain '"
              + domain
              + "' has no held-out block: give it more documents or a larger held-out share");
    }
    return done.get(partition);
  }

  private SpecificRecordBase decode(byte[] value) {
    try {
      return WireCodec.decode(value);
    } catch (WireFormatException e) {
      throw new EvalSetException(
          "a held-out record of domain '" + domain + "' cannot be read: " + e.getMessage());
    }
  }

  private void requireDataset(TokenBlock block) {
    if (block.getFingerprint() != fingerprint) {
      throw new EvalSetException(
          "held-out blocks of domain '"
              + domain
              + "' are of dataset fingerprint "
              + Long.toHexString(block.getFingerprint())
              + ", the run needs "
              + Long.toHexString(fingerprint));
    }
  }

  /** Whether every lane has given as many blocks as could be needed, or ended. */
  boolean isComplete() {
    return !lanes.isEmpty() && done.cardinality() == lanes.size();
  }

  /** The first blocks by ordinal, then lane. */
  List<TokenBlock> blocks() {
    return lanes.stream().flatMap(List::stream).sorted(ORDER).limit(maxBlocks).toList();
  }

  @Override
  public String toString() {
    int blocks = lanes.stream().mapToInt(List::size).sum();
    return domain + " (" + blocks + " of " + maxBlocks + ", end not reached)";
  }
}
