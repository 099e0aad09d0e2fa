package io.sluice.control.config;

import java.util.Map;
import java.util.TreeMap;

/** A configuration file, read by the options that are declared for it. */
public final class OptionReader {
  private final ConfigSection root;
  private final Map<String, ConfigSection> sections = new TreeMap<>();

  /** Nothing is read yet. */
  public OptionReader(ConfigSection root) {
    this.root = root;
  }

  /**
   * The value of an option, or what holds instead.
   *
   * @throws io.sluice.control.error.BadInputException naming the key, what is allowed and what was
   *     found
   */
  public <T> T get(Option<T> option) {
    int dot = option.key().indexOf('.');
    ConfigSection section =
        dot < 0 ? root : sections.computeIfAbsent(option.key().substring(0, dot), root::section);
    return option.reader().read(section, option.key().substring(dot + 1));
  }

  /** Refuses keys that no option asked for. */
  public void requireNoOther() {
    sections.values().forEach(ConfigSection::requireNoOther);
    root.requireNoOther();
  }
}
