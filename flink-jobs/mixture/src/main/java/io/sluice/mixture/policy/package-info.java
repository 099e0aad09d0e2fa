/**
 * What a policy is: a pure function from what trainers measure to domain weights; how one is named,
 * set up and found.
 */
@NullMarked
package io.sluice.mixture.policy;

import org.jspecify.annotations.NullMarked;
