package io.sluice.cli.plan;

import io.sluice.cli.dataset.DatasetFile;
import io.sluice.cli.plan.need.PlannedRun;
import io.sluice.cli.refine.RefineFile;
import io.sluice.control.config.ConfigFile;
import io.sluice.control.config.ConfigSection;
import io.sluice.control.error.BadInputException;
import io.sluice.control.runs.RunFile;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.RefineSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * What files of each kind describe, datasets and refineries as they are where nothing exists.
 *
 * @param runs the files of runs, with what each is called in messages
 */
record PlannedFiles(List<DatasetSpec> datasets, List<RefineSpec> refineries, List<Path> runs) {
  private static final String DATASET = "dataset";
  private static final String RUN = "run";
  private static final String REFINERY = "refinery";

  PlannedFiles {
    datasets = List.copyOf(datasets);
    refineries = List.copyOf(refineries);
    runs = List.copyOf(runs);
  }

  /**
   * Reads the files, which say by their keys what they are.
   *
   * @throws BadInputException naming the file, and the key, what is allowed and what was found; or
   *     two files that describe one thing
   */
  static PlannedFiles read(List<Path> files) {
    List<DatasetSpec> datasets = new ArrayList<>();
    List<RefineSpec> refineries = new ArrayList<>();
    List<Path> runs = new ArrayList<>();
    Map<String, Path> seen = new HashMap<>();
    for (Path file : files) {
      ConfigSection root = ConfigFile.read(file);
      String kind = kind(file, root);
      requireOnce(seen, kind + " '" + root.text(kind) + "'", file);
      switch (kind) {
        case RUN -> runs.add(file);
        case REFINERY -> refineries.add(RefineFile.read(file));
        default -> datasets.add(DatasetFile.read(file));
      }
    }
    return new PlannedFiles(datasets, refineries, runs);
  }

  /** A run's file names a dataset, too. */
  private static String kind(Path file, ConfigSection root) {
    for (String kind : List.of(RUN, REFINERY, DATASET)) {
      if (root.has(kind)) {
        return kind;
      }
    }
    throw new BadInputException(
        file
            + " must have one of the keys run, refinery and dataset, which say what it describes:"
            + " found "
            + String.join(", ", root.keys()));
  }

  private static void requireOnce(Map<String, Path> seen, String what, Path file) {
    Optional.ofNullable(seen.put(what, file))
        .ifPresent(
            before -> {
              throw new BadInputException(
                  what + " must be described by one file: " + before + " and " + file + " do");
            });
  }

  /**
   * The runs over these datasets, and over those that exist.
   *
   * @param resolver makes a specification of a file and its dataset
   * @throws BadInputException if a run's dataset is not among them
   */
  List<PlannedRun> runs(
      List<DatasetSpec> known, BiFunction<RunFile, DatasetSpec, PlannedRun> resolver) {
    List<PlannedRun> planned = new ArrayList<>();
    for (Path file : runs) {
      RunFile run = RunFile.read(file, name -> require(known, file, name).getSequenceLength());
      planned.add(resolver.apply(run, require(known, file, run.dataset())));
    }
    return planned;
  }

  private static DatasetSpec require(List<DatasetSpec> known, Path file, String name) {
    return known.stream()
        .filter(spec -> spec.getName().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new BadInputException(
                    file
                        + ": dataset must be one of "
                        + known.stream().map(DatasetSpec::getName).toList()
                        + ", which -f or the brokers have: '"
                        + name
                        + "'"));
  }
}
