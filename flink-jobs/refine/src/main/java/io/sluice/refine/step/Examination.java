package io.sluice.refine.step;

import io.sluice.refine.twin.Signature;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What all steps say of a document.
 *
 * @param properties that it gets, by name
 * @param drop why it must not be used, if that is so
 * @param signature by which it is known again, if duplicates are dropped
 */
public record Examination(
    Map<String, String> properties, Optional<Drop> drop, Optional<Signature> signature) {
  /** Copies the map, and keeps the order of its keys. */
  public Examination {
    properties = Collections.unmodifiableMap(new TreeMap<>(properties));
  }

  /**
   * Why a document must not be used.
   *
   * @param why in a word
   * @param detail what of, in a name
   */
  public record Drop(String why, String detail) {}

  /** Takes what steps say. */
  static final class Builder {
    private final Map<String, String> properties = new TreeMap<>();
    private Optional<Drop> drop = Optional.empty();
    private Optional<Signature> signature = Optional.empty();

    void property(String name, String value) {
      properties.put(name, value);
    }

    /** The first reason counts. */
    void drop(String why, String detail) {
      if (drop.isEmpty()) {
        drop = Optional.of(new Drop(why, detail));
      }
    }

    void signature(Signature made) {
      signature = Optional.of(made);
    }

    Examination build() {
      return new Examination(properties, drop, signature);
    }
  }
}
