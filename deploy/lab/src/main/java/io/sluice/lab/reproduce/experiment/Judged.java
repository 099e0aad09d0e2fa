package io.sluice.lab.reproduce.experiment;

import io.sluice.lab.reproduce.arm.Arm;
import io.sluice.lab.reproduce.arm.ArmOutcome;
import io.sluice.lab.reproduce.arm.Outcomes;
import io.sluice.lab.reproduce.arm.Scale;
import io.sluice.lab.reproduce.arm.Trial;

/**
 * An arm that has ended, as its measures are taken.
 *
 * @param all outcomes of its trial
 */
public record Judged(Scale scale, Trial trial, Arm arm, ArmOutcome outcome, Outcomes all) {}
