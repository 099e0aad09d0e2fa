package io.sluice.djl.measure;

import io.sluice.client.block.Tokens;
import io.sluice.djl.model.Bounds;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.WireCodec;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A sample of the blocks that a model was trained on, by domain: the D_i that algorithm 1 of the
 * DGA paper draws x_i from (line 6). Each block of a domain is in its sample with the same
 * probability (Vitter's algorithm R); which ones follows from the seed, the domain and the order of
 * the training, so that a training that is resumed has the same. The stream's order is not touched.
 *
 * <p>It is empty until it is told how many blocks to gather. Memory: that many of each domain.
 */
public final class TrainedBlocks {
  private static final int VERSION = 1;
  private static final int MOST_BYTES = 1 << 28;

  private final long seed;
  private final Map<String, Sample> samples = new TreeMap<>();
  private int most;
  private int tokens;

  private static final class Sample {
    private final List<TokenBlock> blocks = new ArrayList<>();
    private long seen;
  }

  /** An empty sample. */
  public TrainedBlocks(long seed) {
    this.seed = seed;
  }

  /** From now on keeps so many blocks of each domain; none drops what there is. */
  public void gather(int perDomain) {
    Bounds.requireAtLeast("perDomain", perDomain, 0);
    if (perDomain < most) {
      samples.clear();
    }
    most = perDomain;
  }

  /** Takes in what was trained on, in its order; rows of another length begin a new sample. */
  public void add(List<TokenBlock> trained) {
    for (TokenBlock block : trained) {
      if (most > 0 && block.getTrainedTokens() > 0) {
        add(block);
      }
    }
  }

  private void add(TokenBlock block) {
    int length = Tokens.of(block).length;
    if (length != tokens) {
      samples.clear();
      tokens = length;
    }
    Sample sample = samples.computeIfAbsent(block.getDomain(), domain -> new Sample());
    sample.seen++;
    if (sample.blocks.size() < most) {
      sample.blocks.add(block);
      return;
    }
    long place = random(block.getDomain(), sample.seen).nextLong(sample.seen);
    if (place < most) {
      sample.blocks.set((int) place, block);
    }
  }

  private SplittableRandom random(String domain, long seen) {
    return new SplittableRandom(seed ^ (((long) domain.hashCode() << 32) + seen));
  }

  /**
   * The pools of probes: a domain's sample, or what is held out of a domain that has not been
   * trained on.
   *
   * @param heldOut blocks by domain; the result has the same domains in the same order
   */
  Map<String, List<TokenBlock>> over(Map<String, List<TokenBlock>> heldOut) {
    Map<String, List<TokenBlock>> pools = new LinkedHashMap<>();
    heldOut.forEach(
        (domain, blocks) -> {
          Sample sample = samples.get(domain);
          pools.put(domain, sample == null ? blocks : List.copyOf(sample.blocks));
        });
    return pools;
  }

  /** Writes the sample. */
  public void save(Path file) throws IOException {
    try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(file))) {
      out.writeInt(VERSION);
      out.writeInt(tokens);
      out.writeInt(samples.size());
      for (Map.Entry<String, Sample> each : samples.entrySet()) {
        out.writeUTF(each.getKey());
        out.writeLong(each.getValue().seen);
        out.writeInt(each.getValue().blocks.size());
        for (TokenBlock block : each.getValue().blocks) {
          byte[] bytes = WireCodec.encode(block);
          out.writeInt(bytes.length);
          out.write(bytes);
        }
      }
    }
  }

  /** Takes over what {@link #save} wrote; nothing from a checkpoint without it. */
  public void load(Path file) throws IOException {
    samples.clear();
    if (!Files.exists(file)) {
      return;
    }
    try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
      int version = in.readInt();
      if (version != VERSION) {
        throw new IllegalArgumentException(file + " must be of version 1: " + version);
      }
      tokens = in.readInt();
      int domains = in.readInt();
      for (int i = 0; i < domains; i++) {
        Sample sample = new Sample();
        samples.put(in.readUTF(), sample);
        sample.seen = in.readLong();
        int count = in.readInt();
        for (int block = 0; block < count; block++) {
          sample.blocks.add(block(file, in));
        }
        most = Math.max(most, count);
      }
    }
  }

  private static TokenBlock block(Path file, DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > MOST_BYTES) {
      throw new IllegalArgumentException(
          file + " must have blocks of 0 to " + MOST_BYTES + " bytes: " + length);
    }
    return (TokenBlock) WireCodec.decode(in.readNBytes(length));
  }
}
