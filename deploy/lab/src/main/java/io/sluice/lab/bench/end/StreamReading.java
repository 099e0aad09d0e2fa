package io.sluice.lab.bench.end;

import io.sluice.client.block.Sequence;
import io.sluice.client.feedback.FeedbackReporter;
import io.sluice.client.run.RunDirectory;
import io.sluice.client.run.RunInfo;
import io.sluice.client.run.TrainerRank;
import io.sluice.client.stream.GlobalBatch;
import io.sluice.client.stream.Loader;
import io.sluice.client.stream.StreamOptions;
import io.sluice.schema.KafkaAccess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;

/**
 * Reads runs as a training loop does, with the client in Java: each batch's tokens into one buffer,
 * then progress.
 */
final class StreamReading {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final KafkaAccess kafka;
  private final TrainerRank rank;
  private ByteBuffer tokens = ByteBuffer.allocateDirect(0);

  private StreamReading(KafkaAccess kafka, TrainerRank rank) {
    this.kafka = kafka;
    this.rank = rank;
  }

  /** Reads the run that each line of the standard input names. */
  public static void main(String[] args) throws IOException {
    StreamReading reading =
        new StreamReading(
            KafkaAccess.local(args[0]),
            TrainerRank.of(Integer.parseInt(args[1]), Integer.parseInt(args[2])));
    BufferedReader asked =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String run = asked.readLine(); run != null; run = asked.readLine()) {
      System.out.println(reading.read(run));
    }
  }

  private String read(String name) {
    RunInfo run = RunDirectory.find(kafka, name, PATIENCE);
    long labels = 0;
    long ofFirst = 0;
    long start = 0;
    try (Loader loader = Loader.open(kafka, run, StreamOptions.defaults().withRank(rank));
        FeedbackReporter feedback = FeedbackReporter.open(kafka, loader, InstantSource.system())) {
      for (GlobalBatch batch : loader.batches(PATIENCE)) {
        labels += take(batch);
        if (start == 0) {
          start = System.nanoTime();
          ofFirst = labels;
        }
        feedback.progress(batch.batch(), batch.batch(), -1);
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      feedback.flush();
      return String.format(
          Locale.ROOT,
          "{\"tokens\": %d, \"perSecond\": %.3f}",
          labels,
          (labels - ofFirst) / seconds);
    }
  }

  private long take(GlobalBatch batch) {
    int bytes = batch.tokenBytes();
    if (tokens.capacity() < bytes) {
      tokens = ByteBuffer.allocateDirect(bytes);
    }
    batch.writeTokens(tokens.clear());
    return batch.sequences().stream().mapToLong(Sequence::labels).sum();
  }
}
