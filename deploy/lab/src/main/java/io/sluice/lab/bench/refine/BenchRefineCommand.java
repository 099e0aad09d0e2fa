package io.sluice.lab.bench.refine;

import io.sluice.control.error.BadInputException;
import io.sluice.lab.bench.measure.BenchLog;
import io.sluice.lab.bench.measure.Benchmark;
import io.sluice.lab.bench.measure.Machine;
import io.sluice.lab.bench.measure.Spread;
import io.sluice.lab.bench.measure.Stage;
import io.sluice.refine.text.Words;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.flink.util.FileUtils;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sluice bench refine}. */
@Command(
    name = "refine",
    description = {
      "How many documents a second each step of a refinery examines, in turns with the hashing of their"
          + " words alone, which is a library's and which all steps begin with.",
      ""
    })
public final class BenchRefineCommand extends Benchmark {
  private static final String WORDS = "words";
  private static final int MOST_TEXTS = 4_000;
  private static final int LEAST_TEXTS = 100;

  @Option(
      names = "--texts",
      paramLabel = "DIR",
      description =
          "A folder with texts, a document each file: Java, Python and Markdown. Default: this"
              + " project's own files.")
  private @Nullable Path texts;

  @Option(
      names = "--threads",
      split = ",",
      paramLabel = "N",
      defaultValue = "1,2",
      description = "Numbers of threads. Default: ${DEFAULT-VALUE}.")
  private List<Integer> threads = List.of();

  @Override
  public void run() {
    if (threads.stream().anyMatch(n -> n < 1 || n > 1_024)) {
      throw new BadInputException("--threads must be from 1 to 1024: " + threads);
    }
    Machine machine = Machine.here();
    BenchLog log = log();
    List<String> read =
        read(texts == null ? Path.of(System.getProperty("sluice.project", ".")) : texts);
    log.say("fitting models to half of %d texts", read.size());
    Map<String, Consumer<String>> steps = steps(fit(read));
    List<RefineResult> results = new ArrayList<>();
    for (int n : threads) {
      Map<String, List<Double>> rates = new LinkedHashMap<>();
      for (int turn = 0; turn <= repeats(); turn++) {
        for (Map.Entry<String, Consumer<String>> step : steps.entrySet()) {
          double rate = rate(step.getValue(), read, n);
          log.say(
              "%s, %d threads: %.0f documents/s%s",
              step.getKey(), n, rate, turn == 0 ? ", warming up" : "");
          if (turn > 0) {
            rates.computeIfAbsent(step.getKey(), name -> new ArrayList<>()).add(rate);
          }
        }
      }
      double alone = Spread.of(rates.getOrDefault(WORDS, List.of())).median();
      rates.forEach(
          (step, all) -> {
            Spread spread = Spread.of(all);
            results.add(
                new RefineResult(step, n, spread.median(), spread.median() / alone, spread));
          });
    }
    report(machine, RefineResult.HEAD, results.stream().map(RefineResult::row).toList(), results);
  }

  /** Models are kept only as long as they are read. */
  private RefineSubject.Opened fit(List<String> read) {
    Path folder = Stage.directory(directory(), "refine-");
    try {
      return RefineSubject.fit(read, folder).open();
    } finally {
      FileUtils.deleteDirectoryQuietly(folder.toFile());
    }
  }

  private static Map<String, Consumer<String>> steps(RefineSubject.Opened opened) {
    Map<String, Consumer<String>> steps = new LinkedHashMap<>();
    steps.put(WORDS, Words::of);
    opened.steps().forEach((name, step) -> steps.put(name, step::examine));
    return steps;
  }

  /** Documents a second of all threads, each of which begins elsewhere. */
  private double rate(Consumer<String> step, List<String> all, int n) {
    long nanos = (long) ((quick() ? 0.05 : 1.5) * 1e9);
    LongAdder done = new LongAdder();
    long start = System.nanoTime();
    List<Thread> workers = new ArrayList<>();
    for (int worker = 0; worker < n; worker++) {
      int first = worker * all.size() / n;
      Thread thread =
          new Thread(
              () -> {
                int next = first;
                do {
                  step.accept(all.get(next % all.size()));
                  done.increment();
                  next++;
                } while (System.nanoTime() - start < nanos);
              });
      thread.start();
      workers.add(thread);
    }
    workers.forEach(BenchRefineCommand::join);
    return done.sum() * 1e9 / (System.nanoTime() - start);
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static List<String> read(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      List<Path> found =
          new ArrayList<>(
              files
                  .filter(file -> file.toString().matches(".*\\.(java|py|md)"))
                  .filter(file -> !file.toString().contains("/."))
                  .sorted()
                  .toList());
      if (found.size() < LEAST_TEXTS) {
        throw new BadInputException(
            "--texts must have at least "
                + LEAST_TEXTS
                + " texts: "
                + folder
                + " has "
                + found.size());
      }
      Collections.shuffle(found, new Random(1));
      List<String> texts = new ArrayList<>();
      for (Path file : found.subList(0, Math.min(MOST_TEXTS, found.size()))) {
        texts.add(Files.readString(file));
      }
      return texts;
    } catch (IOException e) {
      throw new BadInputException(
          "--texts must be a folder of UTF-8 texts: " + folder + ": " + e, e);
    }
  }
}
