/** The papers' policies and the baselines, one class each. */
@NullMarked
package io.sluice.mixture.policy.builtin;

import org.jspecify.annotations.NullMarked;
