package io.sluice.cli.loop;

import io.sluice.client.block.Sequence;
import io.sluice.client.feedback.FeedbackReporter;
import io.sluice.client.feedback.Measurement;
import io.sluice.client.run.RunDirectory;
import io.sluice.client.run.RunInfo;
import io.sluice.client.run.StreamState;
import io.sluice.client.stream.GlobalBatch;
import io.sluice.client.stream.Loader;
import io.sluice.client.stream.StreamOptions;
import io.sluice.schema.KafkaAccess;
import io.sluice.service.Patience;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A trainer without a model that goes on from a state and writes down what it takes, a line for
 * each sequence: the same, with the same losses, as Python's {@code taken.py}.
 */
final class DigestingTrainer implements AutoCloseable {
  private static final Map<String, Double> PACE =
      Map.of("code", 0.001, "notes", 0.01, "prose", 0.02);

  private final Loader stream;
  private final FeedbackReporter feedback;

  private DigestingTrainer(KafkaAccess kafka, Loader stream) {
    this.stream = stream;
    this.feedback = FeedbackReporter.open(kafka, stream, InstantSource.system());
  }

  /** One that takes the rank. */
  static DigestingTrainer attached(KafkaAccess kafka, String run, StreamState state) {
    return open(kafka, run, StreamOptions.defaults(), state);
  }

  /** One that only looks. */
  static DigestingTrainer observing(KafkaAccess kafka, String run, StreamState state) {
    return open(kafka, run, StreamOptions.defaults().observing(), state);
  }

  private static DigestingTrainer open(
      KafkaAccess kafka, String run, StreamOptions options, StreamState state) {
    RunInfo found = RunDirectory.find(kafka, run, Patience.MINUTE);
    return new DigestingTrainer(kafka, Loader.open(kafka, found, options, state));
  }

  /** Trains up to a batch and measures whenever a round closes. */
  List<String> train(long last) {
    List<String> lines = new ArrayList<>();
    while (stream.state().batch() < last) {
      lines.addAll(take());
      long batch = stream.state().batch();
      long every = stream.run().spec().getUpdateEvery();
      if (every > 0 && batch % every == 0) {
        feedback.publish(losses(batch));
      }
      feedback.progress(batch, batch, -1);
    }
    feedback.flush();
    return lines;
  }

  /** Takes batches up to one and says nothing of it. */
  List<String> look(long last) {
    List<String> lines = new ArrayList<>();
    while (stream.state().batch() < last) {
      lines.addAll(take());
    }
    return lines;
  }

  private List<String> take() {
    GlobalBatch batch = stream.next(Patience.MINUTE);
    return batch.sequences().stream().map(row -> line(batch, row)).toList();
  }

  private static String line(GlobalBatch batch, Sequence row) {
    MessageDigest tokens = sha256();
    tokens.update(row.packedTokens());
    String digest = HexFormat.of().formatHex(tokens.digest());
    return "%d,%d,%d,%s,%s"
        .formatted(batch.timeline(), batch.batch(), row.index(), row.domain(), digest);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }

  private Measurement losses(long step) {
    Map<String, Measurement.Total> totals = new LinkedHashMap<>();
    for (String domain : stream.run().spec().getDomains()) {
      totals.put(domain, new Measurement.Total(1000 * (4 - step * PACE.get(domain)), 1000));
    }
    return Measurement.evalLoss(step, step, "step-" + step, totals);
  }

  @Override
  public void close() {
    stream.close();
    feedback.close();
  }
}
