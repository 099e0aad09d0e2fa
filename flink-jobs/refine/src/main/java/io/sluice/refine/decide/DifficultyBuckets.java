package io.sluice.refine.decide;

import io.sluice.refine.bucket.Buckets;
import io.sluice.refine.step.DocumentSteps;
import io.sluice.refine.step.StepNames;
import io.sluice.refine.step.StepSettings;
import io.sluice.schema.BordersMoved;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.RefineStep;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** Puts documents into buckets by their perplexity, if the specification has it told. */
final class DifficultyBuckets {
  /** The property with the number of a document's bucket. */
  static final String BUCKET = StepNames.PERPLEXITY + "-bucket";

  private final Optional<RefineStep> step;
  private Optional<Buckets> buckets;

  DifficultyBuckets(RefineSpec spec) {
    step = StepSettings.find(spec, StepNames.PERPLEXITY);
    buckets = step.map(each -> new Buckets(StepSettings.buckets(each)));
  }

  /**
   * Puts a document into its bucket, and adds that to its properties.
   *
   * @param bytes of its text, which stand for tokens: a document may get any tokenizer's
   * @param records of all inputs before
   * @return the decision, if that moved the borders
   */
  Optional<BordersMoved> add(Map<String, String> properties, long bytes, long records) {
    if (buckets.isEmpty()) {
      return Optional.empty();
    }
    String told = Objects.requireNonNull(properties.get(StepNames.PERPLEXITY));
    if (told.equals(StepSettings.NONE)) {
      properties.put(BUCKET, StepSettings.NONE);
      return Optional.empty();
    }
    double value = Double.parseDouble(told);
    Buckets all = buckets.get();
    properties.put(BUCKET, DocumentSteps.name(all.of(value)));
    return all.add(value, Math.max(1, bytes))
        .map(moved -> new BordersMoved(StepNames.PERPLEXITY, records + 1, moved.borders()));
  }

  /** Where the borders are, for people; empty while there are none. */
  Optional<String> note() {
    return buckets
        .filter(all -> !all.borders().isEmpty())
        .map(
            all ->
                all.borders().stream()
                    .map(border -> String.format(Locale.ROOT, "%.1f", border))
                    .collect(Collectors.joining(", ", "borders at ", "")));
  }

  void write(DataOutputStream out) throws IOException {
    byte[] kept = buckets.map(Buckets::snapshot).orElse(new byte[0]);
    out.writeInt(kept.length);
    out.write(kept);
  }

  void read(DataInputStream in) throws IOException {
    byte[] kept = new byte[in.readInt()];
    in.readFully(kept);
    buckets = step.map(each -> Buckets.restored(StepSettings.buckets(each), kept));
  }
}
