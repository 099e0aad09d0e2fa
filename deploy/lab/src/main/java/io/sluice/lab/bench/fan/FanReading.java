package io.sluice.lab.bench.fan;

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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/**
 * Some ranks of a run's trainers in one process, each with clients of its own. The first line of
 * the standard input opens them, and each further one has them read so many batches and speak of
 * their progress after each.
 */
final class FanReading {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private FanReading() {}

  /** A rank that reads. */
  private record Reader(Loader loader, FeedbackReporter feedback) implements AutoCloseable {
    static Reader open(KafkaAccess kafka, String name, TrainerRank rank) {
      RunInfo run = RunDirectory.find(kafka, name, PATIENCE);
      Loader loader = Loader.open(kafka, run, StreamOptions.defaults().withRank(rank));
      return new Reader(loader, FeedbackReporter.open(kafka, loader, InstantSource.system()));
    }

    int read(int batches) {
      int rows = 0;
      for (int n = 0; n < batches; n++) {
        GlobalBatch batch = loader.next(PATIENCE);
        rows += batch.sequences().size();
        feedback.progress(batch.batch(), batch.batch(), -1);
        feedback.flush(); // steps take long enough that none is sent with another
      }
      return rows;
    }

    @Override
    public void close() {
      feedback.close();
      loader.close();
    }
  }

  /** Takes the broker, the run, the first of these ranks, how many they are, and of how many. */
  public static void main(String[] args) throws Exception {
    KafkaAccess kafka = KafkaAccess.local(args[0]);
    int first = Integer.parseInt(args[2]);
    int count = Integer.parseInt(args[3]);
    int all = Integer.parseInt(args[4]);
    BufferedReader asked =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    ExecutorService threads = Executors.newFixedThreadPool(count);
    List<Reader> readers = new ArrayList<>();
    if (asked.readLine() != null) {
      List<Future<Reader>> opened =
          IntStream.range(first, first + count)
              .mapToObj(
                  rank ->
                      threads.submit(() -> Reader.open(kafka, args[1], TrainerRank.of(rank, all))))
              .toList();
      for (Future<Reader> each : opened) {
        readers.add(each.get());
      }
      System.out.println(readers.size());
      answer(asked, threads, readers);
    }
    readers.forEach(Reader::close);
    threads.shutdown();
  }

  private static void answer(BufferedReader asked, ExecutorService threads, List<Reader> readers)
      throws IOException, ExecutionException, InterruptedException {
    for (String line = asked.readLine(); line != null; line = asked.readLine()) {
      int batches = Integer.parseInt(line);
      ToIntFunction<Reader> read = reader -> reader.read(batches);
      int rows = 0;
      for (Future<Integer> each :
          readers.stream().map(reader -> threads.submit(() -> read.applyAsInt(reader))).toList()) {
        rows += each.get();
      }
      System.out.println(rows);
    }
  }
}
