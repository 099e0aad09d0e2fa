package io.sluice.control.runs;

import io.sluice.schema.BatchSize;
import io.sluice.schema.RowLength;
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
    NavigableSet<Long> starts = new TreeSet<>();
    spec.getBatchSizes().stream().map(BatchSize::getFromBatch).forEach(starts::add);
    spec.getRowLengths().stream().map(RowLength::getFromBatch).forEach(starts::add);
    List<Stage> stages = new ArrayList<>();
    for (long batch : starts) {
      int labels = RowLengths.at(spec, batch);
      stages.add(new Stage(batch, labels, size(spec, batch) * (spec.getSequenceLength() / labels)));
    }
    return new RowStages(stages);
  }

  private static long size(RunSpec spec, long batch) {
    long sequences = 0;
    for (BatchSize size : spec.getBatchSizes()) {
      if (size.getFromBatch() <= batch) {
        sequences = size.getSequences();
      }
    }
    return sequences;
  }

  @Override
  public String toString() {
    return "rows of a batch: "
        + stages.stream().map(Stage::toString).collect(Collectors.joining(", "));
  }
}
