package io.sluice.lab.reproduce.arm;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Names of domains as an experiment has them, and as the service does, where each seed has domains
 * of its own.
 */
final class DomainNames {
  private final String prefix;
  private final Set<String> names;

  /**
   * Names of one dataset.
   *
   * @param prefix of the service's names
   * @param names as the experiment has them
   */
  DomainNames(String prefix, Set<String> names) {
    this.prefix = prefix;
    this.names = names;
  }

  /** The service's name of a domain. */
  String outer(String name) {
    return prefix + name;
  }

  /** The experiment's name of a domain. */
  String inner(String name) {
    return name.substring(prefix.length());
  }

  /** Figures by the experiment's names. */
  <V> Map<String, V> inner(Map<String, V> byOuter) {
    Map<String, V> byInner = new LinkedHashMap<>();
    byOuter.forEach((name, value) -> byInner.put(inner(name), value));
    return byInner;
  }

  /** Settings in which domains have the service's names, as keys and in texts such as 'a=1 b=2'. */
  Object outer(Object settings) {
    if (settings instanceof Map<?, ?> map) {
      Map<String, Object> renamed = new LinkedHashMap<>();
      map.forEach((key, value) -> renamed.put(word(String.valueOf(key)), outer(value)));
      return renamed;
    }
    if (settings instanceof List<?> list) {
      return list.stream().map(this::outer).toList();
    }
    return settings instanceof String text
        ? List.of(text.split(" ", -1)).stream().map(this::word).collect(Collectors.joining(" "))
        : settings;
  }

  private String word(String word) {
    int equals = word.indexOf('=');
    String name = equals < 0 ? word : word.substring(0, equals);
    return names.contains(name) ? prefix + word : word;
  }
}
