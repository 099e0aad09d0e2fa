/** The half of MixJob that decides: feedback, supply and commands become control log entries. */
@NullMarked
package io.sluice.jobs.mix.reweight;

import org.jspecify.annotations.NullMarked;
