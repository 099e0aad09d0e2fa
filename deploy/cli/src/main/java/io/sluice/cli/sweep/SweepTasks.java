package io.sluice.cli.sweep;

import io.sluice.control.error.CommandException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** All runs of a sweep, a few at a time: seed by seed, each warm part before its arms. */
final class SweepTasks {
  private final Sweep sweep;
  private final SweepRunner runner;
  private final KeptRuns kept;
  private final Consumer<String> say;
  private final LongSupplier nanoTime;
  private final List<SweptRun> runs = new ArrayList<>();
  private final SortedMap<Integer, List<SweepArm>> left = new TreeMap<>();
  private final Map<String, String> failures = new TreeMap<>();
  private final long begun;
  private int trained;

  /**
   * Nothing is run yet; what has ended before is found.
   *
   * @param say told how it goes, a line each
   * @throws io.sluice.control.error.BadInputException as {@link KeptRuns#find} has it
   */
  SweepTasks(
      Sweep sweep, SweepRunner runner, KeptRuns kept, Consumer<String> say, LongSupplier nanoTime) {
    this.sweep = sweep;
    this.runner = runner;
    this.kept = kept;
    this.say = say;
    this.nanoTime = nanoTime;
    this.begun = nanoTime.getAsLong();
    for (int seed = 1; seed <= sweep.seeds(); seed++) {
      List<SweepArm> arms = new ArrayList<>();
      for (SweepArm arm : sweep.arms()) {
        kept.find(sweep.run(arm.name(), seed), runner.asked(arm, seed))
            .ifPresentOrElse(runs::add, () -> arms.add(arm));
      }
      if (!arms.isEmpty()) {
        left.put(seed, arms);
      }
    }
  }

  /** The arms of which a run has not ended before. */
  Set<SweepArm> left() {
    Set<SweepArm> arms = new LinkedHashSet<>();
    left.values().forEach(arms::addAll);
    return arms;
  }

  /** Runs what has not ended before. */
  SweepReport run(int workers) throws InterruptedException {
    for (Map.Entry<Integer, List<SweepArm>> seed : left.entrySet()) {
      run(seed.getKey(), seed.getValue(), workers);
    }
    runs.sort(Comparator.comparingInt(SweptRun::seed));
    return new SweepReport(sweep, runs, failures);
  }

  private void run(int seed, List<SweepArm> arms, int workers) throws InterruptedException {
    try {
      runner.warm(seed);
    } catch (CommandException e) {
      arms.forEach(
          arm -> fail(sweep.run(arm.name(), seed), "what it begins with: " + e.getMessage()));
      return;
    }
    ExecutorService pool = Executors.newFixedThreadPool(workers);
    try {
      List<Future<?>> futures = new ArrayList<>();
      for (SweepArm arm : arms) {
        futures.add(pool.submit(() -> run(arm, seed)));
      }
      for (Future<?> future : futures) {
        future.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("a run of the sweep failed", e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }

  private Void run(SweepArm arm, int seed) throws InterruptedException {
    String name = sweep.run(arm.name(), seed);
    try {
      SweptRun run = runner.run(arm, seed);
      kept.keep(run);
      end(run);
    } catch (CommandException e) {
      fail(name, String.valueOf(e.getMessage()));
    }
    return null;
  }

  private synchronized void end(SweptRun run) {
    runs.add(run);
    trained++;
    told(run.run(), String.format(Locale.ROOT, "loss %.4f", run.loss(sweep.aims())));
  }

  private synchronized void fail(String run, String why) {
    failures.put(run, why);
    trained++;
    told(run, "FAILED: " + why);
  }

  private void told(String run, String what) {
    int all = sweep.arms().size() * sweep.seeds();
    int ended = runs.size() + failures.size();
    double minutes = (nanoTime.getAsLong() - begun) / 60e9 / trained * (all - ended);
    say.accept(
        String.format(
            Locale.ROOT, "%d of %d, about %.0f min left: %s: %s", ended, all, minutes, run, what));
  }
}
