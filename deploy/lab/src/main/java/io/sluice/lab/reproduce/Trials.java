package io.sluice.lab.reproduce;

import io.sluice.lab.reproduce.arm.Arm;
import io.sluice.lab.reproduce.arm.ArmOutcome;
import io.sluice.lab.reproduce.arm.ArmRunner.Prepared;
import io.sluice.lab.reproduce.arm.ArmWorker;
import io.sluice.lab.reproduce.arm.Outcomes;
import io.sluice.lab.reproduce.arm.Trial;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The arms of all seeds, a few at a time: seed by seed, each arm as soon as those that it needs
 * have ended.
 */
final class Trials {
  private final Supplier<ArmWorker> workers;
  private final List<Prepared> trials;
  private final Map<String, ArmOutcome> tuning;
  private final Consumer<Ended> told;
  private final List<Task> waiting = new ArrayList<>();
  private final Map<String, Map<String, ArmOutcome>> outcomes = new LinkedHashMap<>();
  private final Set<String> failures = new LinkedHashSet<>();
  private int running;

  /**
   * An arm that has ended.
   *
   * @param failure why it has no outcome; empty if it has one
   */
  record Ended(Trial trial, Arm arm, @Nullable ArmOutcome outcome, String failure, int left) {}

  private record Task(Prepared trial, Arm arm) {
    Trial of() {
      return trial.trial();
    }

    /** Names the arm of this trial among all. */
    String named(String other) {
      return of().id() + " " + other;
    }
  }

  /**
   * Arms that have not run.
   *
   * @param workers makes who runs them
   * @param tuning outcomes that arms of every trial may need
   * @param told what became of each, one at a time
   */
  Trials(
      Supplier<ArmWorker> workers,
      List<Prepared> trials,
      Map<String, ArmOutcome> tuning,
      Consumer<Ended> told) {
    this.workers = workers;
    this.trials = trials;
    this.tuning = Map.copyOf(tuning);
    this.told = told;
  }

  /**
   * Runs them.
   *
   * @param atATime arms that run at a time
   * @return outcomes by {@link Trial#id()} and arm; an arm that failed, or needs one that did, has
   *     none
   */
  Map<String, Map<String, ArmOutcome>> run(int atATime) throws InterruptedException {
    for (Prepared trial : trials) {
      outcomes.put(trial.trial().id(), new HashMap<>());
      trial.trial().arms().forEach(arm -> waiting.add(new Task(trial, arm)));
    }
    ExecutorService pool = Executors.newFixedThreadPool(atATime);
    try {
      List<Future<?>> each = new ArrayList<>();
      for (int i = 0; i < atATime; i++) {
        each.add(pool.submit(() -> work()));
      }
      for (Future<?> one : each) {
        await(one);
      }
      return outcomes;
    } finally {
      pool.shutdownNow();
    }
  }

  private static void await(Future<?> worker) throws InterruptedException {
    try {
      worker.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("an arm's worker failed", e.getCause());
    }
  }

  private void work() {
    try (ArmWorker worker = workers.get()) {
      work(worker);
    }
  }

  private void work(ArmWorker worker) {
    for (Task task = next(); task != null; task = next()) {
      ArmOutcome outcome = null;
      String failure = "";
      try {
        outcome = worker.run(task.trial, task.arm, new Outcomes(ended(task), tuning));
      } catch (RuntimeException e) {
        failure = String.valueOf(e.getMessage());
      }
      end(task, outcome, failure);
    }
  }

  /** The next arm that can run; waits while one is under way that others need. */
  private synchronized @Nullable Task next() {
    while (true) {
      waiting.removeIf(this::isHopeless);
      for (Task task : waiting) {
        if (ended(task).keySet().containsAll(needed(task.arm))) {
          waiting.remove(task);
          running++;
          return task;
        }
      }
      if (running == 0 || waiting.isEmpty()) {
        return null;
      }
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return null;
      }
    }
  }

  private boolean isHopeless(Task task) {
    boolean hopeless =
        needed(task.arm).stream().anyMatch(name -> failures.contains(task.named(name)));
    if (hopeless) {
      failures.add(task.named(task.arm.name()));
    }
    return hopeless;
  }

  private static List<String> needed(Arm arm) {
    List<String> needed = new ArrayList<>(arm.after());
    arm.base().ifPresent(needed::add);
    return needed;
  }

  private synchronized Map<String, ArmOutcome> ended(Task task) {
    return Map.copyOf(Objects.requireNonNull(outcomes.get(task.of().id())));
  }

  private synchronized void end(Task task, @Nullable ArmOutcome outcome, String failure) {
    running--;
    if (outcome == null) {
      failures.add(task.named(task.arm.name()));
    } else {
      Objects.requireNonNull(outcomes.get(task.of().id())).put(task.arm.name(), outcome);
    }
    told.accept(new Ended(task.of(), task.arm, outcome, failure, waiting.size() + running));
    notifyAll();
  }
}
