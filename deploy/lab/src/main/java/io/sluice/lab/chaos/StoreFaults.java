package io.sluice.lab.chaos;

import io.sluice.lab.chaos.fault.SpoiltFile;
import io.sluice.lab.chaos.trainer.TrainedRun;
import io.sluice.lab.chaos.trainer.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What goes wrong with the files that trainers of runs without a stream read.
 *
 * @param store folder of them
 */
record StoreFaults(Path store, Runs runs) {
  private static final Duration NOTICED = Duration.ofSeconds(20);

  /** Cuts a file that is read. */
  String cut(Duration time, Random random) {
    return spoil(time, random, file -> SpoiltFile.cut(file, random));
  }

  /** Replaces a file, and has one of its readers killed, which opens it anew. */
  String replace(Duration time, TrainedRun reader, Random random) {
    return spoil(
        time,
        random,
        file -> {
          SpoiltFile replaced = SpoiltFile.replace(file);
          reader.trainer().kill();
          return replaced;
        });
  }

  /** Until somebody has refused the file, if that is not too long. */
  private String spoil(Duration time, Random random, Function<Path, SpoiltFile> how) {
    Path file = one(random);
    runs.spoilt(file);
    long before = refusals(file);
    try (SpoiltFile spoilt = how.apply(file)) {
      Waiting.pass(time);
      Waiting.until(() -> refusals(file) > before, NOTICED);
    }
    return String.format(
        Locale.ROOT, "%s, named %d times", file.getFileName(), refusals(file) - before);
  }

  private Path one(Random random) {
    try (Stream<Path> files = Files.walk(store)) {
      List<Path> objects =
          files
              .filter(
                  file -> file.toString().endsWith(".rows") || file.toString().endsWith(".side"))
              .sorted()
              .toList();
      return objects.get(random.nextInt(objects.size()));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + store, e);
    }
  }

  private long refusals(Path file) {
    String name = file.getFileName().toString();
    return runs.all(true).stream()
        .flatMap(run -> run.journal().refused().stream())
        .filter(refused -> refused.why().contains(name))
        .count();
  }
}
