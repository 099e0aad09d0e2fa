package io.sluice.client.stream;

import io.sluice.client.derive.Derivation;
import io.sluice.client.derive.DerivedBatch;
import io.sluice.client.derive.DomainEnds;
import io.sluice.client.run.ControlFollower;
import io.sluice.client.run.RunInfo;
import io.sluice.client.run.TrainerRank;
import io.sluice.client.segment.SegmentReader;
import io.sluice.client.segment.SegmentTable;
import io.sluice.client.segment.TestingSegments;
import io.sluice.mixture.plan.LaneShare;
import io.sluice.schema.BatchSize;
import io.sluice.schema.ChainHash;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.DocumentMask;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.MixtureGrant;
import io.sluice.schema.RowLength;
import io.sluice.schema.RunRevised;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStarted;
import io.sluice.schema.StreamHeader;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.TopicReader;
import io.sluice.schema.WireCodec;
import io.sluice.schema.set.DocumentHashes;
import io.sluice.schema.set.DocumentKey;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * A run of chance that is delivered in both ways: its log, the stream that follows from it, and the
 * segments of its blocks.
 */
final class TestingDeliveries {
  static final String SEGMENTS = "sluice.segments.d";
  static final int LENGTH = 12;
  static final int PARTITIONS = 4;
  private static final KafkaAccess ACCESS = KafkaAccess.local("localhost:9092");

  /** Blocks of each lane of the domains; the last one has not ended. */
  private static final int[] BLOCKS = {7, 150, 1500};

  final TestingConsumer<byte[]> control = TestingConsumer.of(100);
  final TestingConsumer<ByteBuffer> stream = TestingConsumer.ofViews(50);
  final TestingConsumer<byte[]> segments = TestingConsumer.of(5);
  final TestingSets sets = new TestingSets();
  final RunInfo run;
  final TestingSegments sealer;

  private final Random random;
  private final byte[][][][] blocks;
  private final Derivation emitter;
  private final List<ControlRecord> log = new ArrayList<>();
  private final TreeMap<Long, long[]> ordinals = new TreeMap<>();
  private final TreeMap<Long, Long> firsts = new TreeMap<>();
  private final int firstBatch;
  private long[] chains = new long[PARTITIONS];
  private int timeline;
  private long serial;
  private long granted;
  private int version = 1;

  TestingDeliveries(Path folder, long seed) {
    this.random = new Random(seed);
    int lanes = 1 + random.nextInt(2);
    DocumentHashes masked = masked();
    sets.add(masked);
    RunSpec spec =
        RunSpec.newBuilder(TestingStream.spec(PARTITIONS, new int[] {24}))
            .setSequenceLength(LENGTH)
            .setLanes(lanes)
            .setBatchSizes(List.of(new BatchSize(1L, 24), new BatchSize(9L, 48)))
            .setRowLengths(List.of(new RowLength(4L, 6), new RowLength(11L, 12)))
            .setMasks(List.of(new DocumentMask(6L, masked.name(), masked.size(), "")))
            .setSeed(random.nextLong())
            .build();
    this.run = new RunInfo("r-1", spec);
    this.blocks = blocks(lanes);
    this.firstBatch = random.nextBoolean() ? 0 : 3;
    DatasetSpec dataset =
        DatasetSpec.newBuilder(
                TestingSegments.dataset(
                    TestingStream.FINGERPRINT, LENGTH, 2, TestingStream.DOMAINS))
            .setLanes(lanes)
            .build();
    this.sealer = new TestingSegments(folder, dataset);
    control.create(TestingReaders.CONTROL, 1);
    stream.create(TestingReaders.STREAM, PARTITIONS);
    segments.create(SEGMENTS, 1);
    this.emitter = new Derivation("r-1", 1);
    start();
  }

  private static DocumentHashes masked() {
    TreeMap<String, Set<DocumentKey>> keys = new TreeMap<>();
    for (String domain : List.of("java", "prose")) {
      keys.put(
          domain,
          new TreeSet<>(List.of(DocumentKey.of(domain, "d3"), DocumentKey.of(domain, "d5"))));
    }
    return DocumentHashes.of(keys).get(0);
  }

  private byte[][][][] blocks(int lanes) {
    byte[][][][] made = new byte[BLOCKS.length][lanes][][];
    for (int domain = 0; domain < BLOCKS.length; domain++) {
      for (int lane = 0; lane < lanes; lane++) {
        made[domain][lane] = new byte[BLOCKS[domain]][];
        for (int n = 0; n < BLOCKS[domain]; n++) {
          made[domain][lane][n] =
              random.nextInt(50) == 0
                  ? new byte[] {(byte) n}
                  : WireCodec.encode(block(TestingStream.DOMAINS.get(domain), lane, n));
        }
      }
    }
    return made;
  }

  private TokenBlock block(String domain, int lane, int ordinal) {
    ByteBuffer tokens = ByteBuffer.allocate(2 * (LENGTH + 1)).order(ByteOrder.LITTLE_ENDIAN);
    while (tokens.hasRemaining()) {
      tokens.putShort((short) random.nextInt(1 << 16));
    }
    int first = 1 + random.nextInt(LENGTH);
    boolean masked = random.nextInt(3) == 0;
    int untrained = random.nextInt(LENGTH);
    return TokenBlock.newBuilder(TestingStream.block(domain, ordinal))
        .setLane(lane)
        .setTokens(tokens.flip())
        .setDocumentLengths(List.of(first, LENGTH + 1 - first))
        .setDocumentIds(List.of("d" + random.nextInt(9), random.nextInt(4) == 0 ? "" : "d5"))
        .setLossMask(masked ? List.of(LENGTH - untrained, untrained) : null)
        .setTrainedTokens(masked ? LENGTH - untrained : LENGTH)
        .setProducedAtMillis(random.nextInt(1000))
        .build();
  }

  private void start() {
    long first = firstBatch * 24L;
    long[] from = new long[run.spec().getLanes() * BLOCKS.length];
    Arrays.setAll(from, i -> firstBatch * 5L);
    ControlRecord entry =
        firstBatch == 0
            ? TestingLog.started(run)
            : TestingLog.forked(run, "r-0", 0, firstBatch, first);
    if (firstBatch == 0) {
      Arrays.fill(from, 0);
    } else {
      ((RunStarted) entry.getBody())
          .getOrigin()
          .getSnapshot()
          .setOrdinals(Arrays.stream(from).boxed().toList());
    }
    granted = firstBatch;
    ordinals.put(granted, from);
    firsts.put(granted, first);
    write(entry);
    Arrays.fill(chains, ChainHash.START);
  }

  private void write(ControlRecord entry) {
    entry.setTimeline(timeline);
    entry.setSerial(serial);
    entry.setBasedOn(serial - 1);
    serial++;
    emitter.apply(entry);
    log.add(entry);
    TestingReaders.append(control, entry);
  }

  /** Last batch that is granted. */
  long granted() {
    return granted;
  }

  /** The first batch of the run, which may be a fork. */
  long firstBatch() {
    return firstBatch + 1L;
  }

  /** Grants more batches, and emits them. */
  void grant(int batches) {
    int domains = BLOCKS.length;
    List<Integer> sizes = new ArrayList<>();
    List<Integer> counts = new ArrayList<>();
    long after = granted;
    for (int i = 0; i < batches; i++) {
      int size = granted + 1 < 9 ? 24 : 48;
      int[] of = new int[domains];
      for (int seat = 0; seat < size; seat++) {
        of[random.nextInt(domains)]++;
      }
      sizes.add(size);
      Arrays.stream(of).forEach(counts::add);
      long[] used = ordinals.get(granted).clone();
      LaneShare.of(of, firsts.get(granted), used).addTo(used);
      granted++;
      ordinals.put(granted, used);
      firsts.put(granted, firsts.get(granted - 1) + size);
    }
    version += random.nextInt(2);
    ControlRecord entry =
        TestingLog.grant("r-1", timeline, serial, serial - 1, after, granted, version);
    MixtureGrant grant = (MixtureGrant) entry.getBody();
    grant.setFirstSequence(firsts.get(after));
    grant.setBatchSizes(sizes);
    grant.setCounts(counts);
    grant.setEffectiveWeights(List.of(1L << 39, 1L << 38, 1L << 38));
    write(entry);
    for (long batch = after + 1; batch <= granted; batch++) {
      emit(batch);
    }
  }

  /** Goes back to a batch; what is granted again are other sequences. */
  void rewind(long batch) {
    timeline++;
    revise(batch);
    Arrays.fill(chains, ChainHash.START);
  }

  /** Revises the run after the last granted batch. */
  void revise() {
    revise(granted);
  }

  private void revise(long batch) {
    ControlRecord entry =
        TestingLog.revised(run, timeline, serial, serial - 1, batch, firsts.get(batch), version);
    ((RunRevised) entry.getBody())
        .getSnapshot()
        .setOrdinals(Arrays.stream(ordinals.get(batch)).boxed().toList());
    granted = batch;
    write(entry);
  }

  void end(String state) {
    write(TestingLog.state("r-1", serial, serial - 1, state, "a test"));
  }

  private DomainEnds ends() {
    return new DomainEnds() {
      @Override
      public OptionalLong blocks(String domain, int lane) {
        int of = TestingStream.DOMAINS.indexOf(domain);
        return of == 2 ? OptionalLong.empty() : OptionalLong.of(BLOCKS[of]);
      }

      @Override
      public boolean isInPlace(String domain, int lane) {
        return false;
      }
    };
  }

  private void emit(long batch) {
    DerivedBatch whole = emitter.derive(batch, TrainerRank.single(), ends());
    for (int row = 0; row < whole.rows(); row++) {
      long index = whole.index(row);
      int partition = (int) (index % PARTITIONS);
      int lane = whole.lane()[row];
      long block = whole.block()[row];
      long domain = ChainHash.domain(TestingStream.FINGERPRINT, whole.domainOf(row));
      chains[partition] = ChainHash.next(chains[partition], index, domain, lane, block);
      StreamHeader header =
          new StreamHeader(
              whole.timeline(),
              whole.batch(),
              whole.firstIndex(),
              whole.size(),
              index,
              whole.weightsVersion(),
              whole.ordinal()[row],
              chains[partition]);
      stream.append(
          TestingReaders.STREAM,
          new TestingStream.Sequence(
              partition, header, blocks[whole.domain()[row]][lane][(int) block]));
    }
  }

  /** Seals the blocks of all lanes below an ordinal. */
  void seal(int from, int until) {
    for (int domain = 0; domain < BLOCKS.length; domain++) {
      for (int lane = 0; lane < run.spec().getLanes(); lane++) {
        List<byte[]> all = Arrays.asList(blocks[domain][lane]);
        for (int first = from; first < Math.min(all.size(), until); ) {
          int end = Math.min(Math.min(all.size(), until), first + 1 + random.nextInt(200));
          boolean ended = domain != 2 && end == all.size();
          String name = TestingStream.DOMAINS.get(domain);
          append(name, lane, first, all.subList(first, end), ended);
          first = end;
        }
      }
    }
  }

  private void append(String domain, int lane, int first, List<byte[]> rows, boolean ended) {
    segments.append(
        SEGMENTS,
        0,
        0,
        WireCodec.encode(sealer.seal(domain, lane, first, rows, ended)),
        new RecordHeaders());
  }

  StreamReader streamed(StreamOptions options) {
    return TestingReaders.open(
        run, TestingReaders.STREAM, stream.again(), control.again(), sets, options);
  }

  DerivedReader derived(StreamOptions options) {
    SegmentTable table =
        new SegmentTable(
            SEGMENTS, TestingStream.FINGERPRINT, () -> new TopicReader(ACCESS, segments.again()));
    return new DerivedReader(
        run,
        options,
        (derivation, after) ->
            new ControlFollower(
                run,
                ACCESS.topics(),
                () -> new TopicReader(ACCESS, control.again()),
                derivation,
                after),
        table,
        new SegmentReader(run, table, sealer.files()),
        sets,
        control::nanoTime);
  }
}
