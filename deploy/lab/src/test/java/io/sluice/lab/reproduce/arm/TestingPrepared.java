package io.sluice.lab.reproduce.arm;

import io.sluice.control.config.ConfigFile;
import io.sluice.control.config.ConfigSection;
import io.sluice.control.runs.RunFile;
import io.sluice.jobs.prepare.dataset.DatasetSettings;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.lab.reproduce.arm.ArmRunner.Prepared;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.RunSpec;
import java.util.List;
import java.util.Map;

/** Trials whose data nobody has prepared. */
public final class TestingPrepared {
  private TestingPrepared() {}

  /** One with datasets of a domain. */
  public static Prepared of(Trial trial) {
    DatasetSpec none =
        DatasetSpecs.resolve(new DatasetSettings("none", "bytes", 8, 10, 1, .1, List.of("a"), 1));
    return new Prepared(trial, none, none);
  }

  /**
   * What the run file of an arm comes to that waits for no other.
   *
   * @param ended what tuned it
   */
  public static RunSpec spec(Trial trial, Scale scale, Arm arm, Outcomes ended) {
    ArmRunFile runs = new ArmRunFile("of", trial, scale);
    List<String> domains =
        trial.training().domains().keySet().stream().map(runs.names()::outer).toList();
    DatasetSpec data =
        DatasetSpecs.resolve(
            new DatasetSettings(
                runs.dataset(), "bytes", scale.sequenceLength(), 10, 1, .1, domains, 1));
    Object content = runs.content(arm, arm.mixture().apply(ended));
    ConfigSection written =
        ConfigFile.parse(arm.name(), KeptOutcomes.JSON.valueToTree(content).toString());
    RunFile file = RunFile.parse(written, name -> scale.sequenceLength());
    return file.resolve(
        data, file.policySettings(), file.initialWeights().resolve(domains, Map.of()));
  }
}
