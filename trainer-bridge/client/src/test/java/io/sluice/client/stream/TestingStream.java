package io.sluice.client.stream;

import io.sluice.client.block.Sequence;
import io.sluice.client.run.RunInfo;
import io.sluice.schema.BatchSize;
import io.sluice.schema.ChainHash;
import io.sluice.schema.RunSpec;
import io.sluice.schema.StreamHeader;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.WireCodec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** What a writer without faults writes for one run: the sequences of some batches, in order. */
public final class TestingStream {
  public static final long FINGERPRINT = 0x5EED;
  public static final int SEQUENCE_LENGTH = 4;
  public static final List<String> DOMAINS = List.of("java", "prose", "config");

  private final RunInfo run;
  private final int partitions;
  private final List<Sequence> sequences = new ArrayList<>();

  /** One record of the stream topic. */
  public record Sequence(int partition, StreamHeader header, byte[] value) {
    long index() {
      return header.index();
    }
  }

  public TestingStream(int partitions, int... batchSizes) {
    this("r-1", 1, partitions, batchSizes);
  }

  /** The stream of a run of some plan version; its blocks do not depend on its id. */
  TestingStream(String runId, int planVersion, int partitions, int... batchSizes) {
    this.partitions = partitions;
    this.run = new RunInfo(runId, spec(partitions, batchSizes));
    long[] chains = new long[partitions];
    Arrays.fill(chains, ChainHash.start(planVersion, runId));
    long[] ordinals = new long[DOMAINS.size()];
    long first = 0;
    for (int b = 0; b < batchSizes.length; b++) {
      for (int i = 0; i < batchSizes[b]; i++) {
        long index = first + i;
        int domain = (int) (ChainHash.mix(index) >>> 1) % DOMAINS.size();
        append(b + 1, first, batchSizes[b], index, Math.abs(domain), ordinals, chains);
      }
      first += batchSizes[b];
    }
  }

  private void append(
      long batch, long first, int size, long index, int domain, long[] ordinals, long[] chains) {
    int partition = (int) (index % partitions);
    long ordinal = ordinals[domain]++;
    String name = DOMAINS.get(domain);
    chains[partition] =
        ChainHash.next(chains[partition], index, ChainHash.domain(FINGERPRINT, name), 0, ordinal);
    StreamHeader header =
        new StreamHeader(0, batch, first, size, index, 1, ordinal, chains[partition]);
    sequences.add(new Sequence(partition, header, WireCodec.encode(block(name, ordinal))));
  }

  public static TokenBlock block(String domain, long ordinal) {
    int tokens = SEQUENCE_LENGTH + 1;
    ByteBuffer packed = ByteBuffer.allocate(2 * tokens).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < tokens; i++) {
      packed.putShort((short) (60_000 + ordinal + i));
    }
    return TokenBlock.newBuilder()
        .setFingerprint(FINGERPRINT)
        .setDomain(domain)
        .setOrdinal(ordinal)
        .setTokenWidth(2)
        .setTokens(packed.flip())
        .setDocumentLengths(List.of(2, 3))
        .setDocumentIds(List.of("a", "b"))
        .setTrainedTokens(SEQUENCE_LENGTH)
        .build();
  }

  public static RunSpec spec(int partitions, int[] batchSizes) {
    List<BatchSize> sizes = new ArrayList<>();
    for (int b = 0; b < batchSizes.length; b++) {
      if (b == 0 || batchSizes[b] != batchSizes[b - 1]) {
        sizes.add(new BatchSize(b + 1L, batchSizes[b]));
      }
    }
    return RunSpec.newBuilder()
        .setRun("r")
        .setDataset("d")
        .setFingerprint(FINGERPRINT)
        .setTokenizer("bytes")
        .setVocabulary(1 << 16)
        .setSequenceLength(SEQUENCE_LENGTH)
        .setDomains(DOMAINS)
        .setStreamPartitions(partitions)
        .setBatchSizes(sizes)
        .setSeed(1)
        .setInitialWeights(List.of(1L << 39, 1L << 38, 1L << 38))
        .setPolicy("static")
        .setPolicySettings(Map.of())
        .setUpdateEvery(0)
        .setEpochs(List.of(1, 1, 1))
        .build();
  }

  /** The same sequences under another mixture. */
  public TestingStream withVersion(int version) {
    sequences.replaceAll(
        each -> {
          StreamHeader h = each.header();
          StreamHeader changed =
              new StreamHeader(
                  h.timeline(),
                  h.batch(),
                  h.firstIndex(),
                  h.batchSize(),
                  h.index(),
                  version,
                  h.ordinal(),
                  h.chain());
          return new Sequence(each.partition(), changed, each.value());
        });
    return this;
  }

  public RunInfo run() {
    return run;
  }

  public int partitions() {
    return partitions;
  }

  public List<Sequence> sequences() {
    return sequences;
  }

  public Sequence sequence(int index) {
    return sequences.get(index);
  }

  /** Sequences of one partition, in order. */
  List<Sequence> of(int partition) {
    return sequences.stream().filter(s -> s.partition() == partition).toList();
  }
}
