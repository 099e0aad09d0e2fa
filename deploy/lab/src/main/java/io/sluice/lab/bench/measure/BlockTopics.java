package io.sluice.lab.bench.measure;

import io.sluice.control.error.Deliveries;
import io.sluice.control.topics.BlockBatches;
import io.sluice.jobs.prepare.dataset.DatasetSettings;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Supply;
import io.sluice.schema.WireCodec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Block topics of a made-up dataset, filled without PrepareJob. */
public final class BlockTopics {
  private static final String DATASET = "bench";

  private static final int PATTERNS = 64;

  private final KafkaAccess kafka;
  private final DatasetSpec spec;
  private final int lanes;
  private final int blocksPerLane;
  private final int blockBytes;
  private final List<byte[]> patterns = new ArrayList<>();
  private final Deliveries deliveries = new Deliveries("blocks");

  /**
   * Topics that are not there yet.
   *
   * @param lanes partitions of each topic
   * @param blocksPerLane blocks of each partition
   * @param blockBytes bytes of each record, as near as whole tokens come to it
   */
  public BlockTopics(KafkaAccess kafka, int domains, int lanes, int blocksPerLane, int blockBytes) {
    this(kafka, names(domains), lanes, blocksPerLane, length(blockBytes));
  }

  private BlockTopics(
      KafkaAccess kafka, List<String> names, int lanes, int blocksPerLane, int length) {
    this.kafka = kafka;
    this.lanes = lanes;
    this.blocksPerLane = blocksPerLane;
    this.spec =
        DatasetSpecs.resolve(
            new DatasetSettings(DATASET, "r50k_base", length, 1, 7, 0, names, lanes));
    this.blockBytes =
        WireCodec.encode(
                MadeUpBlock.of(
                    spec.getFingerprint(), names.get(0), 0, blocksPerLane, tokens(new Random(7))))
            .length;
    Random random = new Random(7);
    for (int i = 0; i < PATTERNS; i++) {
      patterns.add(tokens(random));
    }
  }

  /** Topics of one partition each, whose blocks have so many labels. */
  public static BlockTopics ofLength(
      KafkaAccess kafka, int domains, int blocksPerLane, int length) {
    return new BlockTopics(kafka, names(domains), 1, blocksPerLane, length);
  }

  private static List<String> names(int domains) {
    return IntStream.range(0, domains)
        .mapToObj(i -> String.format(Locale.ROOT, "d%06d", i))
        .toList();
  }

  private static int length(int blockBytes) {
    int overhead =
        WireCodec.encode(MadeUpBlock.of(0, names(1).get(0), 0, 0, new byte[2])).length - 2;
    return Math.max(2, (blockBytes - overhead) / Short.BYTES) - 1;
  }

  /** Topics with blocks enough for each run of a point. */
  public static BlockTopics of(KafkaAccess kafka, MixPoint point) {
    return new BlockTopics(
        kafka, point.domains(), point.lanes(), point.blocksPerLane(), point.blockBytes());
  }

  /** The dataset that they are of. */
  public DatasetSpec spec() {
    return spec;
  }

  /** Bytes of each record. */
  public int blockBytes() {
    return blockBytes;
  }

  /** The block topics' partitions, in the order of the domains. */
  public List<TopicPartition> partitions() {
    return spec.getDomains().stream()
        .flatMap(
            domain ->
                BenchTopics.partitions(kafka.topics().blocks(DATASET, domain), lanes).stream())
        .toList();
  }

  /** The bytes of a block of a domain's lane, both counted from 0, by its ordinal. */
  public byte[] block(int domain, int lane, int ordinal) {
    return WireCodec.encode(
        MadeUpBlock.of(
            spec.getFingerprint(),
            spec.getDomains().get(domain),
            lane,
            ordinal,
            tokens(domain, lane, ordinal)));
  }

  /** The tokens of that block. */
  public byte[] tokens(int domain, int lane, int ordinal) {
    int before = (domain * lanes + lane) * blocksPerLane;
    return patterns.get(Math.floorMod(before + ordinal, PATTERNS));
  }

  /** Creates and fills them, and says in the supply topic that the blocks are there. */
  public void fill() {
    create();
    write();
  }

  /** Fills them where all topics of the dataset are there, as a service makes them. */
  public void write() {
    Map<String, Object> settings =
        Map.of(
            "linger.ms",
            100,
            "delivery.timeout.ms",
            600_000,
            "batch.size",
            BlockBatches.bytes(spec.getDomains().size()),
            "buffer.memory",
            64L << 20);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            kafka.with(settings), new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int domain = 0; domain < spec.getDomains().size(); domain++) {
        String topic = kafka.topics().blocks(DATASET, spec.getDomains().get(domain));
        for (int lane = 0; lane < lanes; lane++) {
          for (int n = 0; n < blocksPerLane; n++) {
            byte[] bytes = block(domain, lane, n);
            send(producer, new ProducerRecord<>(topic, lane, (long) n, null, bytes));
          }
        }
      }
      producer.flush();
      for (String domain : spec.getDomains()) {
        for (int lane = 0; lane < lanes; lane++) {
          send(producer, supply(domain, lane));
        }
      }
      producer.flush();
    }
    deliveries.require();
  }

  private void send(
      KafkaProducer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> message) {
    var unused = producer.send(message, deliveries);
  }

  /** Says that all blocks of a lane are there. */
  private ProducerRecord<byte[], byte[]> supply(String domain, int lane) {
    long blocks = blocksPerLane;
    Supply supply =
        Supply.newBuilder()
            .setDataset(DATASET)
            .setFingerprint(spec.getFingerprint())
            .setDomain(domain)
            .setLane(lane)
            .setBlocks(blocks)
            .setEvalBlocks(0)
            .setTrainedTokens(lanes * blocks * spec.getSequenceLength())
            .setDocuments(lanes * blocks)
            .setEnded(false)
            .build();
    byte[] key = (domain + "/" + lane).getBytes(StandardCharsets.UTF_8);
    String topic = kafka.topics().supply(DATASET);
    return new ProducerRecord<>(topic, 0, key, WireCodec.encode(supply));
  }

  private void create() {
    List<NewTopic> wanted = new ArrayList<>();
    wanted.add(
        new NewTopic(kafka.topics().supply(DATASET), 1, (short) 1)
            .configs(Map.of("cleanup.policy", "compact")));
    for (String domain : spec.getDomains()) {
      wanted.add(new NewTopic(kafka.topics().blocks(DATASET, domain), lanes, (short) 1));
    }
    BenchTopics.create(kafka, wanted);
  }

  private byte[] tokens(Random random) {
    return MadeUpBlock.tokens(spec.getSequenceLength() + 1, random);
  }
}
