package io.sluice.lab.reproduce;

import io.sluice.lab.reproduce.experiment.Experiment;
import java.nio.file.Path;

/**
 * How experiments are run.
 *
 * @param seeds from 1 on
 * @param directory of everything that is kept: what has ended is not run again
 * @param device of the models: cpu, gpu0, …
 * @param workers arms at a time
 */
record ReproductionSettings(
    Experiment.Size size, int seeds, Path directory, String device, int workers) {}
