/** Runs that have ended and of which nobody speaks: the control plane reads nothing of them. */
@NullMarked
package io.sluice.jobs.mix.rest;

import org.jspecify.annotations.NullMarked;
