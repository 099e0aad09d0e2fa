package io.sluice.jobs.simulation;

import io.sluice.jobs.mix.source.SimulatedSplit;
import io.sluice.schema.RunSpec;
import io.sluice.schema.Supply;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.WireCodec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The blocks of one run's domains, committed little by little together with their supply. */
final class Corpus implements SimulatedSplit.Blocks {
  private final RunSpec spec;
  private final int[] sizes;
  private final List<List<byte[]>> committed = new ArrayList<>();
  private final boolean[] ended;
  private final Map<byte[], Integer> domains = new IdentityHashMap<>();

  Corpus(RunSpec spec, int[] sizes) {
    this.spec = spec;
    this.sizes = sizes.clone();
    this.ended = new boolean[sizes.length];
    for (int i = 0; i < sizes.length; i++) {
      committed.add(new ArrayList<>());
    }
  }

  /** Commits some more blocks of a domain, and at last its marker; what the supply topic gets. */
  List<Supply> commit(int domain, int most, Random random) {
    List<byte[]> blocks = committed.get(domain);
    if (ended[domain]) {
      return random.nextInt(4) == 0 ? List.of(supply(domain, true)) : List.of();
    }
    int more = Math.min(most, sizes[domain] - blocks.size());
    for (int i = 0; i < more; i++) {
      byte[] block = encode(domain, blocks.size());
      domains.put(block, domain);
      blocks.add(block);
    }
    ended[domain] = blocks.size() == sizes[domain] && random.nextBoolean();
    return List.of(supply(domain, ended[domain]));
  }

  private Supply supply(int domain, boolean last) {
    return Supply.newBuilder()
        .setDataset(spec.getDataset())
        .setFingerprint(spec.getFingerprint())
        .setDomain(name(domain))
        .setBlocks(size(domain))
        .setEvalBlocks(0)
        .setTrainedTokens(0)
        .setDocuments(0)
        .setEnded(last)
        .build();
  }

  private static String name(int domain) {
    return "d" + domain;
  }

  private byte[] encode(int domain, long ordinal) {
    return WireCodec.encode(
        TokenBlock.newBuilder()
            .setFingerprint(spec.getFingerprint())
            .setDomain(name(domain))
            .setOrdinal(ordinal)
            .setTokenWidth(2)
            .setTokens(ByteBuffer.allocate(2 * (spec.getSequenceLength() + 1)))
            .setDocumentLengths(List.of(spec.getSequenceLength() + 1))
            .setDocumentIds(Collections.singletonList("x"))
            .setTrainedTokens(spec.getSequenceLength())
            .build());
  }

  @Override
  public long size(int domain) {
    return committed.get(domain).size();
  }

  @Override
  public boolean ended(int domain) {
    return ended[domain];
  }

  @Override
  public byte[] block(int domain, long stored) {
    return committed.get(domain).get((int) stored);
  }

  /** The domain of a block; the very array that {@link #block} gave. */
  int domainOf(byte[] block) {
    return domains.get(block);
  }

  /** Sequences that the run can have of a domain, as far as is committed, in so many epochs. */
  long usable(int domain, int epochs) {
    return ended[domain] ? size(domain) * Math.max(1, epochs) : size(domain);
  }
}
