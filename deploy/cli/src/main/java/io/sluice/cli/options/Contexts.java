package io.sluice.cli.options;

import io.sluice.control.error.BadInputException;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The contexts that somebody has.
 *
 * @param current the name of the one that holds where none is named; '' for none
 * @param all by name
 */
public record Contexts(String current, SortedMap<String, Context> all) {
  /** Nobody has set one. */
  static final Contexts NONE = new Contexts("", new TreeMap<>());

  /** Copies the map. */
  public Contexts {
    all = Collections.unmodifiableSortedMap(new TreeMap<>(all));
  }

  /** The one of that name, if there is one. */
  public Optional<Context> find(String name) {
    return Optional.ofNullable(all.get(name));
  }

  /**
   * The one of that name.
   *
   * @param by what names it, for the message
   * @throws BadInputException if there is none, naming those there are
   */
  public Context require(String by, String name) {
    return find(name)
        .orElseThrow(
            () ->
                new BadInputException(
                    by
                        + " must be one of "
                        + all.keySet()
                        + ", which 'sluice context set' adds to: '"
                        + name
                        + "'"));
  }

  /** With this one in the place of what has its name. */
  public Contexts with(Context context) {
    SortedMap<String, Context> more = new TreeMap<>(all);
    more.put(context.name(), context);
    return new Contexts(current, more);
  }

  /** Without the one of that name. */
  public Contexts without(String name) {
    SortedMap<String, Context> less = new TreeMap<>(all);
    less.remove(name);
    return new Contexts(current.equals(name) ? "" : current, less);
  }

  /** The same, of which another holds. */
  public Contexts using(String name) {
    return new Contexts(name, all);
  }
}
