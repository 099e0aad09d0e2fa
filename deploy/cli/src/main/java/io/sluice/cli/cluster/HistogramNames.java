package io.sluice.cli.cluster;

import io.sluice.control.error.BadInputException;
import io.sluice.schema.Topics;

/**
 * What clusters are called as domains.
 *
 * @param pattern a domain's name with {@value #CLUSTER} in the place of a cluster's id
 * @param basis name of the distribution
 */
record HistogramNames(String pattern, String basis) {
  static final String CLUSTER = "{cluster}";

  HistogramNames {
    // The longest id has seven digits.
    if (!pattern.contains(CLUSTER)
        || !Topics.NAME.matcher(pattern.replace(CLUSTER, "1048575")).matches()) {
      throw new BadInputException(
          "--weights must be a domain's name with {cluster} in it, such as c{cluster}: found '"
              + pattern
              + "'");
    }
  }

  String domain(int cluster) {
    return pattern.replace(CLUSTER, Integer.toString(cluster));
  }

  static String checked(String basis) {
    if (!Topics.NAME.matcher(basis).matches()) {
      throw new BadInputException(
          "--basis must be 1 to 63 letters, digits, '-' and '_': found '" + basis + "'");
    }
    return basis;
  }
}
