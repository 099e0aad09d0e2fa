package io.sluice.mixture.policy.builtin;

import java.math.BigInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The order of names in which {@code part-2} comes before {@code part-10}. */
final class NaturalOrder {
  private static final Pattern RUN = Pattern.compile("[0-9]+|[^0-9]+");

  private NaturalOrder() {}

  static int compare(String one, String other) {
    Matcher ones = RUN.matcher(one);
    Matcher others = RUN.matcher(other);
    while (ones.find()) {
      if (!others.find()) {
        return 1;
      }
      String a = ones.group();
      String b = others.group();
      boolean numbers = Character.isDigit(a.charAt(0)) && Character.isDigit(b.charAt(0));
      int order = numbers ? new BigInteger(a).compareTo(new BigInteger(b)) : a.compareTo(b);
      if (order != 0) {
        return order;
      }
    }
    return others.find() ? -1 : one.compareTo(other);
  }
}
