/** A mixture as a tree: groups of domains with policies of their own, ratios and stages. */
@NullMarked
package io.sluice.mixture.policy.tree;

import org.jspecify.annotations.NullMarked;
