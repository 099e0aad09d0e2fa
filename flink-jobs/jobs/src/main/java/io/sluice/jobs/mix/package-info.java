/** The job that mixes: it wires the half that decides grants to the half that obeys them. */
@NullMarked
package io.sluice.jobs.mix;

import org.jspecify.annotations.NullMarked;
