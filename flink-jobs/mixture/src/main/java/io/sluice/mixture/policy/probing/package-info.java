/** Policies that train on mixtures in turn to learn what each of them does. */
@NullMarked
package io.sluice.mixture.policy.probing;

import org.jspecify.annotations.NullMarked;
