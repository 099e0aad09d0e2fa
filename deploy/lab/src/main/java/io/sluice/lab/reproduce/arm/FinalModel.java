package io.sluice.lab.reproduce.arm;

import io.sluice.client.evaluation.EvalSets;
import io.sluice.client.run.RunInfo;
import io.sluice.control.runs.NewRun;
import io.sluice.control.wire.RunSpecs;
import io.sluice.djl.measure.DomainEvaluation;
import io.sluice.djl.model.ModelSize;
import io.sluice.djl.trainer.TrainerSettings;
import io.sluice.djl.trainer.TrainingLoop;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.TokenBlock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Tests the final model of an arm on text that nothing else reads. */
final class FinalModel {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private FinalModel() {}

  /**
   * Losses and right answers on the test's text, and to a trial's own questions.
   *
   * @param questions by their kind
   * @param parameters of the model
   * @param blocks of each domain that are read
   */
  static TestedModel test(
      KafkaAccess access,
      DatasetSpec test,
      DomainNames names,
      Map<String, List<Question>> questions,
      Scale scale,
      Path parameters,
      int blocks) {
    RunInfo all = new RunInfo("test", RunSpecs.complete(NewRun.of("test", test, 1).build()));
    Map<String, List<TokenBlock>> heldOut = EvalSets.read(access, all, blocks, PATIENCE);
    ModelSize size =
        new ModelSize(
            scale.layers(),
            scale.width(),
            scale.heads(),
            test.getVocabulary(),
            scale.sequenceLength());
    Map<String, Double> losses = new TreeMap<>();
    Map<String, Double> accuracy = new TreeMap<>();
    try (TrainingLoop loop = new TrainingLoop(size, TrainerSettings.builder(1).build())) {
      loop.begin(parameters);
      new DomainEvaluation(heldOut, size, scale.batch(), true)
          .evaluate(loop.trainer())
          .forEach((domain, loss) -> losses.put(names.inner(domain), loss.mean()));
      heldOut.forEach(
          (domain, each) ->
              accuracy.put(
                  names.inner(domain), Continuations.accuracy(loop.trainer(), each, size)));
      questions.forEach(
          (kind, asked) -> accuracy.put(kind, Answers.accuracy(loop.trainer(), asked, size)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new TestedModel(losses, accuracy);
  }
}
