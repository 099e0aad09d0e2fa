/**
 * What papers claim, what came of experiments, and the rule by which the one is held to the other.
 */
@NullMarked
package io.sluice.lab.reproduce.claim;

import org.jspecify.annotations.NullMarked;
