package io.sluice.refine.step;

import io.sluice.control.error.BadInputException;
import io.sluice.refine.classify.TextClassifier;
import io.sluice.refine.cluster.ClusterModel;
import io.sluice.schema.RefineStep;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What steps may say of where a document goes. */
public final class StepValues {
  private StepValues() {}

  /**
   * Everything that a step may say, in order.
   *
   * @throws BadInputException if its model cannot be used
   */
  public static List<String> of(RefineStep step) {
    return switch (step.getName()) {
      case StepNames.TOPIC -> DocumentSteps.model(step, TextClassifier.class).labels();
      case StepNames.PERPLEXITY ->
          Stream.concat(
                  IntStream.range(0, StepSettings.whole(step, "buckets"))
                      .mapToObj(bucket -> DocumentSteps.name(bucket)),
                  Stream.of(StepSettings.NONE))
              .toList();
      case StepNames.CLUSTER ->
          Arrays.stream(DocumentSteps.model(step, ClusterModel.class).tree().leaves())
              .mapToObj(leaf -> DocumentSteps.name(leaf))
              .toList();
      case StepNames.BASIS -> DocumentSteps.basisModel(step).names();
      default ->
          throw new BadInputException(
              "a pattern can have {input} and "
                  + StepNames.ROUTING
                  + ": found {"
                  + step.getName()
                  + "}");
    };
  }
}
