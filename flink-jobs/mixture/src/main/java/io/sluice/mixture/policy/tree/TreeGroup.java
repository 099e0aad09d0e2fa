package io.sluice.mixture.policy.tree;

import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.policy.Shares;

/**
 * A group of a tree: some of the domains under a policy of their own.
 *
 * @param members places of its domains in the tree
 * @param weights its domains start with, in any scale; empty to take them from the run
 */
record TreeGroup(String name, int[] members, double[] weights, Policy policy) {
  /** The domains' weights within the group when the tree's are these. */
  double[] startingShares(double[] shares) {
    double[] own = new double[members.length];
    double sum = 0;
    for (int i = 0; i < own.length; i++) {
      own[i] = weights.length > 0 ? weights[i] : shares[members[i]];
      sum += own[i];
    }
    for (int i = 0; i < own.length; i++) {
      own[i] = sum > 0 ? own[i] / sum : 1.0 / own.length;
    }
    return Shares.normalised(policy.startingShares(own));
  }
}
