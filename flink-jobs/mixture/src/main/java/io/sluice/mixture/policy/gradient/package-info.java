/** Policies that weigh domains by what the gradients of several say of each other. */
@NullMarked
package io.sluice.mixture.policy.gradient;

import org.jspecify.annotations.NullMarked;
