package io.sluice.refine.step;

import io.sluice.refine.twin.Signature;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What all steps say of a document.
 *
 * @param properties that it gets, by name
 * @param drop why it must not be used, if that is so
 * @param signature by which it is known again, if duplicates are dropped
 * @param copies how often it goes to each basis topic that it goes to, if these are drawn
 */
public record Examination(
    Map<String, String> properties,
    Optional<Drop> drop,
    Optional<Signature> signature,
    Map<String, Integer> copies) {
  /** Copies the maps, and keeps the order of their keys. */
  public Examination {
    properties = Collections.unmodifiableMap(new TreeMap<>(properties));
    copies = Collections.unmodifiableMap(new TreeMap<>(copies));
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
    private Map<String, Integer> copies = Map.of();

    void property(String name, String value) {
      properties.put(name, value);
    }

    /** What a step before has said. */
    String said(String name) {
      return Objects.requireNonNull(properties.get(name), name);
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

    void copies(Map<String, Integer> drawn) {
      copies = drawn;
    }

    Examination build() {
      return new Examination(properties, drop, signature, copies);
    }
  }
}
