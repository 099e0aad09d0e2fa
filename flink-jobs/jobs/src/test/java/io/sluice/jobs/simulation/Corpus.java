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
import java.util.Random;
import java.util.stream.IntStream;

/**
 * The blocks of one run's domains, given to its lanes in turn and committed little by little
 * together with their supply.
 */
final class Corpus {
  private final RunSpec spec;
  private final int[] sizes;
  private final List<List<byte[]>> committed = new ArrayList<>();
  private final boolean[] ended;
  private final IdentityHashMap<byte[], Integer> domains = new IdentityHashMap<>();

  Corpus(RunSpec spec, int[] sizes) {
    this.spec = spec;
    this.sizes = sizes.clone();
    this.ended = new boolean[sizes.length];
    for (int place = 0; place < spec.getLanes() * sizes.length; place++) {
      committed.add(new ArrayList<>());
    }
  }

  /** Commits some more blocks of a domain, and at last its marker; what the supply topic gets. */
  List<Supply> commit(int domain, int most, Random random) {
    if (ended[domain]) {
      return random.nextInt(4) == 0 ? supply(domain) : List.of();
    }
    int to = Math.min(sizes[domain], committed(domain) + most);
    for (int number = committed(domain); number < to; number++) {
      int lane = number % spec.getLanes();
      List<byte[]> blocks = blocks(lane, domain);
      byte[] block = encode(domain, lane, blocks.size());
      domains.put(block, domain);
      blocks.add(block);
    }
    ended[domain] = to == sizes[domain] && random.nextBoolean();
    return supply(domain);
  }

  private int committed(int domain) {
    return IntStream.range(0, spec.getLanes()).map(lane -> blocks(lane, domain).size()).sum();
  }

  private List<byte[]> blocks(int lane, int domain) {
    return committed.get(lane * sizes.length + domain);
  }

  private List<Supply> supply(int domain) {
    return IntStream.range(0, spec.getLanes()).mapToObj(lane -> supply(domain, lane)).toList();
  }

  private Supply supply(int domain, int lane) {
    return Supply.newBuilder()
        .setDataset(spec.getDataset())
        .setFingerprint(spec.getFingerprint())
        .setDomain(name(domain))
        .setLane(lane)
        .setBlocks(blocks(lane, domain).size())
        .setEvalBlocks(0)
        .setTrainedTokens(0)
        .setDocuments(0)
        .setEnded(ended[domain])
        .build();
  }

  private static String name(int domain) {
    return "d" + domain;
  }

  private byte[] encode(int domain, int lane, long ordinal) {
    return WireCodec.encode(
        TokenBlock.newBuilder()
            .setFingerprint(spec.getFingerprint())
            .setDomain(name(domain))
            .setLane(lane)
            .setOrdinal(ordinal)
            .setTokenWidth(2)
            .setTokens(ByteBuffer.allocate(2 * (spec.getSequenceLength() + 1)))
            .setDocumentLengths(List.of(spec.getSequenceLength() + 1))
            .setDocumentIds(Collections.singletonList("x"))
            .setTrainedTokens(spec.getSequenceLength())
            .build());
  }

  /** What a lane's split can read. */
  SimulatedSplit.Blocks lane(int lane) {
    return new SimulatedSplit.Blocks() {
      @Override
      public long size(int domain) {
        return blocks(lane, domain).size();
      }

      @Override
      public boolean ended(int domain) {
        return ended[domain];
      }

      @Override
      public byte[] block(int domain, long stored) {
        return blocks(lane, domain).get((int) stored);
      }
    };
  }

  /** Whether a domain's markers are committed. */
  boolean ended(int domain) {
    return ended[domain];
  }

  /** The domain of a block; the very array that a lane's blocks gave. */
  int domainOf(byte[] block) {
    return domains.get(block);
  }

  /** Sequences that a lane can have of a domain, as far as is committed, in so many epochs. */
  long usable(int lane, int domain, int epochs) {
    long size = blocks(lane, domain).size();
    return ended[domain] ? size * Math.max(1, epochs) : size;
  }
}
