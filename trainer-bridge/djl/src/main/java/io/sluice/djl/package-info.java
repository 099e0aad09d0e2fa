/**
 * Training on a run's stream with the Deep Java Library: a small language model, the data set over
 * the stream, the evaluation of each domain, and the reference trainer.
 */
@NullMarked
package io.sluice.djl;

import org.jspecify.annotations.NullMarked;
