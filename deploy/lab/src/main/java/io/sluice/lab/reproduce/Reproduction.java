package io.sluice.lab.reproduce;

import io.sluice.lab.reproduce.arm.Arm;
import io.sluice.lab.reproduce.arm.ArmOutcome;
import io.sluice.lab.reproduce.arm.ArmRunner;
import io.sluice.lab.reproduce.arm.ArmRunner.Prepared;
import io.sluice.lab.reproduce.arm.KeptOutcomes;
import io.sluice.lab.reproduce.arm.Outcomes;
import io.sluice.lab.reproduce.arm.Scale;
import io.sluice.lab.reproduce.arm.Trial;
import io.sluice.lab.reproduce.claim.Claims;
import io.sluice.lab.reproduce.claim.Course;
import io.sluice.lab.reproduce.claim.Outcome;
import io.sluice.lab.reproduce.claim.Plan;
import io.sluice.lab.reproduce.claim.Results;
import io.sluice.lab.reproduce.corpus.Library;
import io.sluice.lab.reproduce.experiment.Experiment;
import io.sluice.lab.reproduce.experiment.Judged;
import io.sluice.service.local.LocalService;
import io.sluice.service.local.LocalSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;

/** One experiment, from its texts to what came of every arm. */
final class Reproduction {
  private static final int PILOT = 3;

  /** That one service prepares, a slot for each, with room for its other jobs. */
  private static final int MOST_DATASETS = 24;

  /** That one broker has topics for, and answers in time. */
  private static final int MOST_DOMAINS = 256;

  private final Experiment experiment;
  private final Scale scale;
  private final ReproductionSettings settings;
  private final Library library;
  private final Claims claims;
  private final Consumer<String> say;
  private final ArmProgress progress;
  private Map<String, ArmOutcome> tuning = Map.of();
  private int pilotArms;

  /**
   * An experiment that has not begun.
   *
   * @param claims that its first seeds are held against, to say what the rest can decide
   * @param say told how it goes, by several threads
   */
  Reproduction(
      Experiment experiment,
      ReproductionSettings settings,
      Library library,
      Claims claims,
      Consumer<String> say,
      LongSupplier nanoTime) {
    this.experiment = experiment;
    this.scale = experiment.scale().longer(settings.longer());
    this.settings = settings;
    this.library = library;
    this.claims = claims;
    this.say = say;
    this.progress = new ArmProgress(say, nanoTime);
  }

  /** Runs what has not been run, and adds what came of all arms that are judged. */
  void run(Results.Builder results) throws InterruptedException {
    Optional<Trial> tuned = experiment.tuning(library, scale);
    tuned.ifPresent(Soundness::requireNoLeak);
    // Each seed's texts are drawn and compared on one processor.
    List<List<Trial>> seeds =
        LongStream.rangeClosed(1, settings.seeds()).parallel().mapToObj(this::drawn).toList();
    int arms = seeds.stream().flatMap(List::stream).mapToInt(trial -> trial.arms().size()).sum();
    int before = tuned.map(trial -> trial.arms().size()).orElse(0);
    say.accept(
        String.format(
            Locale.ROOT,
            "%s: %d arms of %,d tokens, %d at a time%s",
            experiment.name(),
            arms,
            scale.tokens(),
            settings.workers(),
            before == 0 ? "" : ", behind " + before + " that tune them"));
    pilotArms = arms * PILOT / settings.seeds();
    progress.begin(before + arms);
    if (tuned.isPresent()) {
      tune(tuned.get());
    }
    int together = together(seeds.get(0));
    for (int from = 0; from < seeds.size(); from += together) {
      List<List<Trial>> some = seeds.subList(from, Math.min(seeds.size(), from + together));
      List<Trial> trials = some.stream().flatMap(List::stream).toList();
      judge(trials, outcomes(from + 1, trials), results);
    }
  }

  private List<Trial> drawn(long seed) {
    say.accept(experiment.name() + ": drawing the texts of seed " + seed);
    List<Trial> trials = experiment.trials(seed, library, scale);
    trials.forEach(Soundness::requireNoLeak);
    return trials;
  }

  /** Runs what the others are tuned by; an arm that is not sound tunes nothing. */
  private void tune(Trial trial) throws InterruptedException {
    Map<String, ArmOutcome> sound =
        new TreeMap<>(outcomes(0, List.of(trial)).getOrDefault(trial.id(), Map.of()));
    for (Arm arm : trial.arms()) {
      ArmOutcome outcome = sound.get(arm.name());
      String fault = outcome == null ? "" : Soundness.fault(scale, arm, outcome);
      if (!fault.isEmpty()) {
        say.accept(trial.named(arm) + ": " + fault);
        sound.remove(arm.name());
      }
    }
    tuning = Map.copyOf(sound);
  }

  /** How many seeds with such trials a service takes. */
  private static int together(List<Trial> trials) {
    int domains =
        trials.stream()
            .mapToInt(each -> each.training().domains().size() + each.test().domains().size())
            .sum();
    return Math.max(1, Math.min(MOST_DATASETS / (2 * trials.size()), MOST_DOMAINS / domains));
  }

  /** Runs the trials of some seeds, from the first on, on a service of their own. */
  private Map<String, Map<String, ArmOutcome>> outcomes(int first, List<Trial> trials)
      throws InterruptedException {
    // What has other lengths is none of this: its outcomes, its texts, its service.
    Path directory =
        settings
            .directory()
            .resolve(experiment.name() + "-" + scale.steps() + "-" + library.name());
    Map<String, Map<String, ArmOutcome>> before = before(new KeptOutcomes(directory), trials);
    if (!before.isEmpty()) {
      say.accept(experiment.name() + ": all arms " + from(first) + " have ended before");
      progress.without(before.values().stream().mapToInt(Map::size).sum());
      return before;
    }
    LocalSettings local = LocalSettings.in(directory.resolve("service-" + first));
    try (LocalService service = LocalService.start(local, line -> {})) {
      ArmRunner runner =
          new ArmRunner(service, experiment.name(), scale, settings.device(), directory);
      say.accept(experiment.name() + ": bringing the texts in " + from(first));
      List<Prepared> prepared = trials.stream().map(runner::prepare).toList();
      return new Trials(runner::worker, prepared, tuning, this::ended).run(settings.workers());
    }
  }

  private static String from(int first) {
    return first == 0 ? "that tune others" : "from seed " + first + " on";
  }

  /** The outcomes that are kept, if they are all; else none. */
  private Map<String, Map<String, ArmOutcome>> before(KeptOutcomes kept, List<Trial> trials) {
    Map<String, Map<String, ArmOutcome>> outcomes = new TreeMap<>();
    for (Trial trial : trials) {
      Map<String, ArmOutcome> ended = new TreeMap<>();
      for (Arm arm : trial.arms()) {
        if (!ended.keySet().containsAll(arm.after())) {
          return Map.of();
        }
        Outcomes all = new Outcomes(Map.copyOf(ended), tuning);
        Optional<ArmOutcome> outcome = kept.find(experiment.name(), trial, scale, arm, all);
        if (outcome.isEmpty()) {
          return Map.of();
        }
        ended.put(arm.name(), outcome.get());
      }
      outcomes.put(trial.id(), ended);
    }
    return outcomes;
  }

  private void judge(
      List<Trial> trials, Map<String, Map<String, ArmOutcome>> outcomes, Results.Builder into) {
    for (Trial trial : trials) {
      Outcomes all = new Outcomes(outcomes.getOrDefault(trial.id(), Map.of()), tuning);
      for (Arm arm : trial.arms()) {
        if (arm.judged()) {
          into.add(experiment.name(), trial.named(arm), trial.seed(), outcome(trial, arm, all));
        }
      }
    }
  }

  private Outcome outcome(Trial trial, Arm arm, Outcomes all) {
    ArmOutcome outcome = all.byArm().get(arm.name());
    if (outcome == null) {
      return new Outcome.Failed(
          progress.failure(trial, arm).orElse("an arm that it needs has failed"));
    }
    String fault = fault(trial, arm, all);
    if (!fault.isEmpty()) {
      return new Outcome.Failed(fault);
    }
    SortedMap<String, Double> measures = measures(new Judged(scale, trial, arm, outcome, all));
    SortedMap<String, Course> courses = new TreeMap<>();
    courses.putAll(courses("weight/", outcome.weights()));
    courses.putAll(courses("loss/", outcome.losses()));
    return new Outcome.Finished(measures, courses);
  }

  /** Beside each that the test decides, what it would be without learning. */
  private SortedMap<String, Double> measures(Judged judged) {
    SortedMap<String, Double> measures = new TreeMap<>(experiment.measures(judged));
    measures.putAll(experiment.tested(judged));
    experiment
        .tested(judged.unlearned())
        .forEach((name, value) -> measures.put(Results.UNLEARNED + name, value));
    measures.values().removeIf(value -> !Double.isFinite(value));
    return measures;
  }

  /** What is wrong with an arm, or with those that it begins with; empty if nothing is. */
  private String fault(Trial trial, Arm arm, Outcomes all) {
    String own = Soundness.fault(scale, arm, all.of(arm.name()));
    if (!own.isEmpty() || arm.base().isEmpty()) {
      return own;
    }
    String base = arm.base().get();
    String its = fault(trial, trial.arm(base), all);
    return its.isEmpty() ? "" : "what it begins with, " + base + ": " + its;
  }

  private static Map<String, Course> courses(
      String prefix, SortedMap<Long, Map<String, Double>> values) {
    Map<String, SortedMap<Long, Double>> byName = new TreeMap<>();
    values.forEach(
        (step, domains) ->
            domains.forEach(
                (domain, value) ->
                    byName
                        .computeIfAbsent(prefix + domain, name -> new TreeMap<>())
                        .put(step, value)));
    Map<String, Course> courses = new TreeMap<>();
    byName.forEach(
        (name, course) -> {
          course.values().removeIf(value -> !Double.isFinite(value));
          double[] steps = course.keySet().stream().mapToDouble(Long::doubleValue).toArray();
          double[] at = course.values().stream().mapToDouble(Double::doubleValue).toArray();
          courses.put(name, new Course(steps, at));
        });
    return courses;
  }

  private void ended(Trials.Ended one) {
    progress.ended(one);
    if (settings.seeds() > PILOT
        && isOfPilot(one)
        && progress.all().stream().filter(Reproduction::isOfPilot).count() == pilotArms) {
      plan();
    }
  }

  private static boolean isOfPilot(Trials.Ended each) {
    return each.trial().seed() >= 1 && each.trial().seed() <= PILOT;
  }

  /** What the other seeds can decide, by what the first ones differ. */
  private void plan() {
    Map<String, Trial> trials = new TreeMap<>();
    Map<String, Map<String, ArmOutcome>> outcomes = new TreeMap<>();
    for (Trials.Ended each : progress.all()) {
      String id = each.trial().id();
      if (isOfPilot(each) && each.outcome() != null) {
        trials.put(id, each.trial());
        outcomes
            .computeIfAbsent(id, first -> new TreeMap<>())
            .put(each.arm().name(), each.outcome());
      }
    }
    Results.Builder pilot = Results.builder();
    judge(List.copyOf(trials.values()), outcomes, pilot);
    say.accept("what " + settings.seeds() + " seeds can decide, by the spread of the first 3:");
    Plan.of(claims, pilot.build(), settings.seeds())
        .lines()
        .forEach(line -> say.accept("  " + line));
  }
}
