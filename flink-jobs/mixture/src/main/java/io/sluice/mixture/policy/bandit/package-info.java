/** Policies that are bandits: each domain an arm, what trainers measured its reward. */
@NullMarked
package io.sluice.mixture.policy.bandit;

import org.jspecify.annotations.NullMarked;
