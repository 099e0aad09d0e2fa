/** What simulated runs train: learners of which everything is known, most of it invented. */
@NullMarked
package io.sluice.mixture.simulate.scenario;

import org.jspecify.annotations.NullMarked;
