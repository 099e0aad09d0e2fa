package io.sluice.control.runs;

import io.sluice.control.config.ConfigFile;
import io.sluice.control.config.ConfigSection;
import io.sluice.control.config.OptionReader;
import io.sluice.control.error.BadInputException;
import io.sluice.control.targets.TargetSources;
import io.sluice.control.wire.ControlWire;
import io.sluice.control.wire.RunFields;
import io.sluice.control.wire.RunSpecs;
import io.sluice.mixture.plan.Weights;
import io.sluice.mixture.policy.Cadence;
import io.sluice.schema.BatchSize;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.RunSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.IntSupplier;

/**
 * The {@code run.yaml} that a person writes: a specification, but for what its dataset and its
 * policy determine.
 */
public final class RunFile {
  private final RunSpec.Builder asked;
  private final InitialWeights initialWeights;
  private final Epochs epochs;

  private RunFile(RunSpec.Builder asked, InitialWeights initialWeights, Epochs epochs) {
    this.asked = asked;
    this.initialWeights = initialWeights;
    this.epochs = epochs;
  }

  /** Looks a dataset's sequence length up. */
  public interface SequenceLengths {
    /** Labels per sequence. */
    int of(String dataset);
  }

  /**
   * The run that the file asks for.
   *
   * @param sequenceLengths labels per sequence of a dataset, by its name; asked only where the file
   *     gives a batch in tokens, or a length of rows
   * @throws BadInputException naming the key, what is allowed and what was found
   */
  public static RunFile read(Path file, SequenceLengths sequenceLengths) {
    RunFile read = parse(ConfigFile.read(file), sequenceLengths);
    read.asked.setPolicySettings(TargetSources.besides(file, read.policySettings()));
    return read;
  }

  /** The run that the text of a file asks for. */
  public static RunFile parse(ConfigSection root, SequenceLengths sequenceLengths) {
    OptionReader file = new OptionReader(root);
    String dataset = file.get(RunOptions.DATASET);
    IntSupplier length = () -> sequenceLengths.of(dataset);
    RunOptions.NamedPolicy policy = file.get(RunOptions.POLICY);
    RunSpec.Builder asked =
        RunSpec.newBuilder()
            .setRun(file.get(RunOptions.RUN))
            .setDataset(dataset)
            .setBatchSizes(sizes(file.get(RunOptions.BATCH).apply(length)))
            .setRowLengths(file.get(RunOptions.SEQUENCE_LENGTH).apply(length))
            .setPolicy(policy.name())
            .setPolicySettings(PolicySettingsSection.inSequences(policy.settings(), length))
            .setUpdateEvery(policy.every())
            .setSmoothing(file.get(RunOptions.SMOOTHING));
    RunFields.ALL.forEach(field -> field.read(file, asked));
    InitialWeights weights = file.get(RunOptions.INITIAL_WEIGHTS);
    Epochs epochs = file.get(RunOptions.WHEN_ENDED);
    file.requireNoOther();
    return new RunFile(asked, weights, epochs);
  }

  private static List<BatchSize> sizes(NavigableMap<Long, Integer> sizes) {
    List<BatchSize> list = new ArrayList<>();
    sizes.forEach((from, sequences) -> list.add(new BatchSize(from, sequences)));
    return list;
  }

  /** Name of the run. */
  public String run() {
    return asked.getRun();
  }

  /** Name of its dataset. */
  public String dataset() {
    return asked.getDataset();
  }

  /** Name of its policy. */
  public String policy() {
    return asked.getPolicy();
  }

  /** Settings of its policy, flat, with dotted keys. */
  public Map<String, String> policySettings() {
    return asked.getPolicySettings();
  }

  /** What comes between a decision and the weights, flat. */
  public Map<String, String> smoothing() {
    return asked.getSmoothing();
  }

  /** How the first weights are chosen. */
  public InitialWeights initialWeights() {
    return initialWeights;
  }

  /** Sequences of the whole run; empty if it has no end. */
  public OptionalLong sequences() {
    NavigableMap<Long, Integer> sizes = new TreeMap<>();
    asked.getBatchSizes().forEach(size -> sizes.put(size.getFromBatch(), size.getSequences()));
    long batches = asked.getBatches();
    Cadence cadence = new Cadence(asked.getUpdateEvery(), asked.getLag(), sizes, batches);
    return batches == 0 ? OptionalLong.empty() : OptionalLong.of(cadence.sequencesIn(batches));
  }

  /**
   * The specification that the control log pins.
   *
   * @param settings of the policy, with every target loss
   * @param first weights of the dataset's domains
   * @throws BadInputException naming the key, what it may be, and what it is
   */
  public RunSpec resolve(DatasetSpec data, Map<String, String> settings, Weights first) {
    RunSpec spec =
        NewRun.over(RunSpec.newBuilder(asked), data)
            .setPolicySettings(settings)
            .setInitialWeights(ControlWire.boxed(first))
            .setEpochs(epochs.of(data.getDomains()))
            .build();
    NewRun.requireDeliverable(spec, data);
    try {
      return RunSpecs.complete(spec);
    } catch (IllegalArgumentException e) {
      throw new BadInputException(String.valueOf(e.getMessage()), e);
    }
  }
}
