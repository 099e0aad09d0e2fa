package io.sluice.lab.reproduce.arm;

import io.sluice.jobs.prepare.dataset.DatasetSettings;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.lab.reproduce.arm.ArmRunner.Prepared;
import io.sluice.schema.DatasetSpec;
import java.util.List;
import java.util.Set;

/** Trials whose data nobody has prepared. */
public final class TestingPrepared {
  private TestingPrepared() {}

  /** One with datasets of a domain. */
  public static Prepared of(Trial trial) {
    DatasetSpec none =
        DatasetSpecs.resolve(new DatasetSettings("none", "bytes", 8, 10, 1, .1, List.of("a"), 1));
    DomainNames names = new DomainNames("", Set.of("a"));
    return new Prepared(trial, none, names, none, names);
  }
}
