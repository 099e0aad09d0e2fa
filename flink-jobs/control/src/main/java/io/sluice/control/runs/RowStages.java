package io.sluice.control.runs;

import io.sluice.control.wire.RunSpecs;
import io.sluice.mixture.log.RunSettings;
import io.sluice.schema.RunSpec;
import io.sluice.schema.run.RowLengths;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The rows that a trainer gets of a run's batches, for people.
 *
 * @param stages in the order of their batches; one for each change of the rows' length or number
 */
public record RowStages(List<Stage> stages) {
  public RowStages {
    stages = List.copyOf(stages);
  }

  /**
   * Batches whose rows are alike.
   *
   * @param fromBatch first batch, from 1
   * @param labels of a row
   * @param rows of a batch, over all ranks
   */
  public record Stage(long fromBatch, int labels, long rows) {
    @Override
    public String toString() {
      return rows + " of " + labels + " tokens from batch " + fromBatch + " on";
    }
  }

  /** The stages of a run; none where all rows are whole sequences. */
  public static RowStages of(RunSpec spec) {
    if (spec.getRowLengths().isEmpty()) {
      return new RowStages(List.of());
    }
    RunSettings settings = RunSpecs.settings(spec);
    NavigableSet<Long> starts = new TreeSet<>(settings.batchSizes().keySet());
    starts.addAll(settings.rowLengths().keySet());
    List<Stage> stages = new ArrayList<>();
    for (long batch : starts) {
      int labels = RowLengths.at(spec, batch);
      long parts = spec.getSequenceLength() / labels;
      stages.add(new Stage(batch, labels, settings.batchSize(batch) * parts));
    }
    return new RowStages(stages);
  }

  @Override
  public String toString() {
    return "rows of a batch: "
        + stages.stream().map(Stage::toString).collect(Collectors.joining(", "));
  }
}
