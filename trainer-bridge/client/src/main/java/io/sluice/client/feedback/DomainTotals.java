package io.sluice.client.feedback;

import io.sluice.client.feedback.Measurement.Total;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The sums of some domains as arrays: copied, checked and handed to another thread in microseconds,
 * however many there are. Immutable.
 */
final class DomainTotals extends AbstractMap<String, Total> {
  private final List<String> names;
  private final double[] sums;
  private final long[] counts;
  private volatile @Nullable Map<String, Integer> places;

  private DomainTotals(List<String> names, double[] sums, long[] counts) {
    this.names = names;
    this.sums = sums;
    this.counts = counts;
  }

  /**
   * Totals of arrays, which are copied.
   *
   * @param names distinct, and never changed
   * @param sums one for each name
   * @param counts likewise
   */
  static DomainTotals of(List<String> names, double[] sums, long[] counts) {
    return new DomainTotals(names, sums.clone(), counts.clone());
  }

  static DomainTotals copyOf(Map<String, Total> domains) {
    if (domains instanceof DomainTotals totals) {
      return totals;
    }
    String[] names = new String[domains.size()];
    double[] sums = new double[names.length];
    long[] counts = new long[names.length];
    int place = 0;
    for (Map.Entry<String, Total> domain : domains.entrySet()) {
      names[place] = domain.getKey();
      sums[place] = domain.getValue().sum();
      counts[place++] = domain.getValue().count();
    }
    return new DomainTotals(List.of(names), sums, counts);
  }

  List<String> names() {
    return names;
  }

  double sum(int place) {
    return sums[place];
  }

  long count(int place) {
    return counts[place];
  }

  /** The first one that no run could use; −1 for none. */
  int firstUnusable() {
    for (int place = 0; place < sums.length; place++) {
      if (!Double.isFinite(sums[place]) || counts[place] < 1) {
        return place;
      }
    }
    return -1;
  }

  private Total total(int place) {
    return new Total(sums[place], counts[place]);
  }

  @Override
  public int size() {
    return sums.length;
  }

  @Override
  public @Nullable Total get(@Nullable Object domain) {
    Integer place = places().get(domain);
    return place == null ? null : total(place);
  }

  @Override
  public boolean containsKey(@Nullable Object domain) {
    return places().containsKey(domain);
  }

  /** Made when it is first asked for; threads that make it at once make the same. */
  private Map<String, Integer> places() {
    Map<String, Integer> known = places;
    if (known == null) {
      known = new HashMap<>();
      for (int place = 0; place < sums.length; place++) {
        known.put(names.get(place), place);
      }
      places = known;
    }
    return known;
  }

  @Override
  public void forEach(BiConsumer<? super String, ? super Total> action) {
    for (int place = 0; place < sums.length; place++) {
      action.accept(names.get(place), total(place));
    }
  }

  @Override
  public Set<Entry<String, Total>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public int size() {
        return sums.length;
      }

      @Override
      public Iterator<Entry<String, Total>> iterator() {
        return IntStream.range(0, sums.length)
            .<Entry<String, Total>>mapToObj(place -> Map.entry(names.get(place), total(place)))
            .iterator();
      }
    };
  }
}
