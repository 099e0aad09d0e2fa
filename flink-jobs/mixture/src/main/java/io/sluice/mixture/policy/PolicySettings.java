package io.sluice.mixture.policy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Settings as flat text with dotted keys, read with checks; whatever nobody read is refused. */
public final class PolicySettings {
  private static final double MAX_SHARE = 1e12;

  private final String path;
  private final Map<String, String> values;
  private final Set<String> unread;
  private final Map<String, Setting> asked = new TreeMap<>();

  /**
   * A setting that was asked for.
   *
   * @param key dotted, with {@code <domain>} or {@code <name>} where any may stand
   * @param allowed what may be given; '' where a part of the settings names it for messages only
   * @param fallback what holds when it is not given; '' where there is none
   */
  public record Setting(String key, String allowed, String fallback) {}

  /**
   * Settings of one policy.
   *
   * @param path goes before every key in messages: {@code policy.velocitune}
   */
  public PolicySettings(String path, Map<String, String> values) {
    this.path = path;
    this.values = values;
    this.unread = new TreeSet<>(values.keySet());
  }

  /** A number in [low, high], or {@code fallback}, which need not be in it. */
  public double number(String key, double fallback, double low, double high) {
    String text = take(key, "a number " + range(low, high), shown(fallback));
    return text == null ? fallback : parse(key, text, low, high);
  }

  /** A whole number in [low, high], or {@code fallback}. */
  public long whole(String key, long fallback, long low, long high) {
    String text =
        take(key, "a whole number " + range((double) low, (double) high), Long.toString(fallback));
    if (text == null) {
      return fallback;
    }
    double value = parse(key, text, (double) low, (double) high);
    if (value != Math.rint(value)) {
      throw new IllegalArgumentException(path(key) + " must be a whole number: " + text);
    }
    return (long) value;
  }

  /** True, false, or {@code fallback}. */
  public boolean flag(String key, boolean fallback) {
    return choice(key, String.valueOf(fallback), "true", "false").equals("true");
  }

  /** One of the allowed words, or {@code fallback}. */
  public String choice(String key, String fallback, String... allowed) {
    String words = String.join(" or ", allowed);
    String text = take(key, words, fallback);
    if (text == null) {
      return fallback;
    }
    if (!List.of(allowed).contains(text)) {
      throw new IllegalArgumentException(path(key) + " must be " + words + ": '" + text + "'");
    }
    return text;
  }

  /** Any text, or {@code fallback}. */
  public String text(String key, String fallback) {
    String text = take(key, "a text", fallback);
    return text == null ? fallback : text;
  }

  /** Names with spaces between, each once; none if there are none. */
  public List<String> names(String key) {
    String text = text(key, "").strip();
    List<String> names = text.isEmpty() ? List.of() : List.of(text.split("\\s+"));
    if (Set.copyOf(names).size() < names.size()) {
      throw new IllegalArgumentException(path(key) + " must name each once: '" + text + "'");
    }
    return names;
  }

  /** One number for each name under {@code key.<name>}; null when there is none at all. */
  public double @Nullable [] perDomain(String key, List<String> domains, double low, double high) {
    note(key + ".<domain>", "a number " + range(low, high), "");
    if (!hasUnder(key)) {
      return null;
    }
    for (String domain : domains) {
      if (!has(key + "." + domain)) {
        throw new IllegalArgumentException(
            path(key) + " must name every domain of " + domains + ": missing " + domain);
      }
    }
    return perDomain(key, domains, Double.NaN, low, high);
  }

  /**
   * One number for each name under {@code key.<name>}.
   *
   * @throws IllegalArgumentException if one is missing
   */
  public double[] requirePerDomain(String key, List<String> domains, double low, double high) {
    double[] result = perDomain(key, domains, low, high);
    if (result == null) {
      throw new IllegalArgumentException(
          path(key) + ".<domain> must be given for every domain of " + domains + ": none is");
    }
    return result;
  }

  /** One number for each name, {@code fallback} for those without {@code key.<name>}. */
  public double[] perDomainOr(
      String key, List<String> domains, double fallback, double low, double high) {
    note(key + ".<domain>", "a number " + range(low, high), shown(fallback));
    return perDomain(key, domains, fallback, low, high);
  }

  private double[] perDomain(
      String key, List<String> domains, double fallback, double low, double high) {
    double[] result = new double[domains.size()];
    for (int i = 0; i < result.length; i++) {
      String name = key + "." + domains.get(i);
      String text = values.get(name);
      unread.remove(name);
      result[i] = text == null ? fallback : parse(name, text, low, high);
    }
    return result;
  }

  /**
   * One share for each domain from a text like {@code 'web=0.7 code=0.3'}; 0 for those that it
   * leaves out.
   *
   * @throws IllegalArgumentException if a domain is unknown or no share is above 0
   */
  public double[] shares(String key, String text, List<String> domains) {
    double[] shares = new double[domains.size()];
    Map<String, Integer> index = new HashMap<>();
    domains.forEach(domain -> index.put(domain, index.size()));
    for (String pair : text.strip().split("\\s+", -1)) {
      int at = pair.lastIndexOf('=');
      Integer domain = at < 0 ? null : index.get(pair.substring(0, at));
      if (domain == null) {
        throw new IllegalArgumentException(
            path(key)
                + " must be 'domain=share …' with domains of "
                + domains
                + ": '"
                + pair
                + "'");
      }
      shares[domain] = parse(key, pair.substring(at + 1), 0, MAX_SHARE);
    }
    return requirePositive(key, shares);
  }

  /** The shares, of which one at least must be above 0. */
  public double[] requirePositive(String key, double[] shares) {
    for (double share : shares) {
      if (share > 0) {
        return shares;
      }
    }
    throw new IllegalArgumentException(path(key) + " must have a share above 0: all are 0");
  }

  /** Every text under {@code key.<name>}, by name, in alphabetical order. */
  public Map<String, String> under(String key) {
    note(key + ".<name>", "a text", "");
    return below(key);
  }

  private Map<String, String> below(String key) {
    Map<String, String> found = new TreeMap<>();
    values.forEach(
        (name, value) -> {
          if (name.startsWith(key + ".")) {
            unread.remove(name);
            found.put(name.substring(key.length() + 1), value);
          }
        });
    return found;
  }

  /**
   * A stretch of a run, such as {@code 5000 batches} or {@code 4M sequences}; null when it is not
   * given.
   */
  public @Nullable Extent extent(String key) {
    String text = take(key, Extent.ALLOWED, "");
    return text == null ? null : Extent.parse(path(key), text);
  }

  /** The settings under {@code key.}, without it; names what may be there for messages. */
  public PolicySettings section(String key, String... known) {
    name(known);
    return new PolicySettings(path(key), below(key));
  }

  /** Names what may be there, and is read elsewhere, for messages. */
  void name(String... known) {
    for (String name : known) {
      asked.putIfAbsent(name, new Setting(name, "", ""));
    }
  }

  /** Every setting, read. */
  public Map<String, String> all() {
    unread.clear();
    return Map.copyOf(values);
  }

  /** What stands before the first dot of each key, in alphabetical order. */
  public Set<String> heads() {
    Set<String> heads = new TreeSet<>();
    values.keySet().forEach(key -> heads.add(key.contains(".") ? key.split("\\.", 2)[0] : key));
    return heads;
  }

  /** Whether the key is given. */
  public boolean has(String key) {
    return values.containsKey(key);
  }

  /** What was asked for, in the order of the keys. */
  public List<Setting> asked() {
    return List.copyOf(asked.values());
  }

  /** Refuses what nobody read, naming what was asked for. */
  public void requireAllRead() {
    if (!unread.isEmpty()) {
      throw new IllegalArgumentException(
          path(unread.iterator().next()) + " is not a setting; known are " + asked.keySet());
    }
  }

  /** The key as messages name it. */
  public String path(String key) {
    return path + "." + key;
  }

  private boolean hasUnder(String key) {
    return values.keySet().stream().anyMatch(k -> k.startsWith(key + "."));
  }

  private @Nullable String take(String key, String allowed, String fallback) {
    note(key, allowed, fallback);
    unread.remove(key);
    return values.get(key);
  }

  private double parse(String key, String text, double low, double high) {
    double value;
    try {
      value = Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(path(key) + " must be a number: '" + text + "'", e);
    }
    if (!(value >= low && value <= high)) {
      throw new IllegalArgumentException(path(key) + " must be " + range(low, high) + ": " + text);
    }
    return value;
  }

  private void note(String key, String allowed, String fallback) {
    asked.put(key, new Setting(key, allowed, fallback));
  }

  private static String range(double low, double high) {
    String from = low == Double.MIN_VALUE ? "(0" : "[" + low;
    String to = high == Math.nextDown(1.0) ? "1)" : high + "]";
    return "in " + from + ", " + to;
  }

  private static String shown(double fallback) {
    return Double.isNaN(fallback) ? "" : Double.toString(fallback);
  }
}
