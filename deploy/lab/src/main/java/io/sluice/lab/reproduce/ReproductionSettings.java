package io.sluice.lab.reproduce;

import java.nio.file.Path;

/**
 * How experiments are run.
 *
 * @param seeds from 1 on
 * @param longer times the experiment's own length that an arm lasts
 * @param directory of everything that is kept: what has ended is not run again
 * @param device of the models: cpu, gpu0, …
 * @param workers arms at a time
 */
record ReproductionSettings(int seeds, int longer, Path directory, String device, int workers) {}
