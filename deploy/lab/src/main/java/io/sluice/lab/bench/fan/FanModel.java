package io.sluice.lab.bench.fan;

import io.sluice.lab.bench.fan.FanOut.StoreReads;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * Counts what the clients of a run ask for, as their classes do it.
 *
 * <p>With W GPUs, n sequences of each in a batch, G = W n, S partitions of the stream and d =
 * gcd(G, S), a rank reads S / d · min(n, d) partitions ({@code TrainerRank.partitions}), so that
 * the stream is read W min(n, d) / d times. Each rank keeps clients of its own: one for the stream
 * ({@code StreamConsumer}) or for the records of segments, one for the control log ({@code
 * ControlFollower}), one for claims ({@code KafkaClaimLog}), and the producer of its feedback
 * ({@code FeedbackReporter}).
 */
record FanModel(FanShape shape, RecordSizes sizes) {
  /** What a client asks a broker in a second that has nothing for it: fetch.max.wait.ms is 20. */
  private static final double IDLE_FETCHES = 50;

  /** ClaimKeeper listens for 100 ms, and then pauses for a second. */
  private static final double CLAIM_FETCHES = IDLE_FETCHES * 0.1 / 1.1;

  /** StreamReader asks the control log every 5 s: where it ends, and what is new. */
  private static final double LOG_REQUESTS = 2 / 5.0;

  /** Control log, claims and feedback. */
  private static final int OTHER_CLIENTS = 3;

  /** Of the rows of all domains together, which the sealer puts into one object. */
  private static final long OBJECT_BYTES = 64L << 20;

  /** What SnapshotWriter lets a log grow to before it adds another snapshot. */
  private static final double MOST_LOG = 1 << 20;

  /** What TopicHeads fetches of a log. */
  private static final double MOST_HEAD = 32 << 10;

  private static final double MB = 1e6;

  static FanModel of(FanShape shape) {
    return new FanModel(shape, RecordSizes.of(shape));
  }

  /** Of a run with a stream. */
  FanOut tokens() {
    double stream = shape.rowsPerSecond() * sizes.streamed();
    double blocks = shape.rowsPerSecond() * sizes.block();
    return fanOut("tokens", timesRead(), stream, blocks, brokersRead(), streamRequests(), 0, null);
  }

  /** Of a run without one. */
  FanOut derived() {
    double requests = 2 * shape.batchesPerSecond();
    return fanOut("derived", 0, 0, 0, 1, requests, segments() * sizes.segment(), store());
  }

  private FanOut fanOut(
      String delivery,
      double timesRead,
      double stream,
      double blocks,
      int ownConnections,
      double ownRequests,
      double tableBytes,
      @Nullable StoreReads store) {
    double ranks = shape.gpus();
    double log = shape.batchesPerSecond() * sizes.logPerBatch();
    double progress = ranks * shape.batchesPerSecond() * sizes.progress();
    double in = stream + log + progress;
    double out = timesRead * stream + blocks + ranks * log + progress + (shape.copies() - 1) * in;
    long connections = (long) shape.gpus() * (ownConnections + OTHER_CLIENTS);
    double requests = ranks * (ownRequests + CLAIM_FETCHES + shape.batchesPerSecond());
    return new FanOut(
        delivery,
        shape.gpus(),
        timesRead,
        in / MB,
        out / MB,
        connections,
        connections + (1L + OTHER_CLIENTS) * shape.gpus(),
        requests,
        (ranks * tableBytes + claimBytes() + logBytes(MOST_LOG)) / MB,
        store);
  }

  /** What the brokers give out of a stream of so many sequences. */
  double streamBytes(long sequences) {
    return timesRead() * sequences * sizes.streamed();
  }

  /** What the ranks write when they begin, each for itself and for the job, and in some batches. */
  double feedbackBytes(int batches) {
    return shape.gpus() * (2 * sizes.claim() + batches * sizes.progress());
  }

  /**
   * What all ranks are given of a control log before they begin: RunDirectory reads its head and
   * then all of it since its newest snapshot, and so does the ControlFollower of a Loader.
   */
  double logBytes(double sinceSnapshot) {
    return shape.gpus() * (Math.min(sinceSnapshot, MOST_HEAD) + 2 * sinceSnapshot);
  }

  /** What all ranks ask the brokers in a second in which they wait for a batch. */
  double idleRequestsPerSecond() {
    return shape.gpus() * (streamRequests() + CLAIM_FETCHES);
  }

  private double streamRequests() {
    return IDLE_FETCHES * brokersRead() + LOG_REQUESTS;
  }

  private int brokersRead() {
    return Math.min(shape.brokers(), partitionsRead());
  }

  /** Each rank reads the claims of those that come after it. */
  double claimBytes() {
    return shape.gpus() * (shape.gpus() - 1.0) / 2 * sizes.claim();
  }

  /** Partitions of the stream in which a rank has sequences. */
  int partitionsRead() {
    int cycle = gcd();
    return shape.partitions() / cycle * Math.min(shape.rows(), cycle);
  }

  private double timesRead() {
    return (double) shape.gpus() * partitionsRead() / shape.partitions();
  }

  /** Where batches begin, modulo the partitions, comes again after so many. */
  private int gcd() {
    return BigInteger.valueOf(shape.batch())
        .gcd(BigInteger.valueOf(shape.partitions()))
        .intValueExact();
  }

  /** Segments of the whole dataset: each object has one of each domain. */
  private double segments() {
    double objects = Math.ceil(shape.corpusRows() * shape.format().stride() / OBJECT_BYTES);
    return Math.min(objects * shape.domains(), shape.corpusRows());
  }

  /** In the first epoch, in which rows of a domain that follow each other do so in a file, too. */
  private StoreReads store() {
    double bytes = shape.rowsPerSecond() * shape.format().stride();
    double ranges = shape.gpus() * shape.batchesPerSecond() * distinctDomains(shape.rows());
    double rowsOfObject = Math.max(1, OBJECT_BYTES / (double) shape.format().stride());
    double fetched = bytes * shape.nodes() * (1 - Math.pow(1 - 1.0 / shape.nodes(), rowsOfObject));
    return new StoreReads(bytes / MB, ranges, fetched / MB, fetched / MB / shape.nodes());
  }

  /** Domains that so many sequences of a batch are of, on average. */
  private double distinctDomains(int sequences) {
    double others = 1 - 1.0 / shape.domains();
    return shape.domains() * (1 - Math.pow(others, sequences));
  }
}
