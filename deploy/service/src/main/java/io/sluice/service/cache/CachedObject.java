package io.sluice.service.cache;

import java.util.HashSet;
import java.util.Set;

/** An object that is there, or on its way, or did not come. Guarded by the lock of its cache. */
final class CachedObject {
  private final String place;
  private final String store;
  private final String name;
  private final long since;

  /** How it is with it. */
  enum State {
    /** It is being fetched. */
    COMING,
    /** It is a file. */
    THERE,
    /** It was given up: the reason is an answer. */
    REFUSED
  }

  State state = State.COMING;
  final Set<Object> holders = new HashSet<>();
  final Set<Object> waiting = new HashSet<>();
  long bytes;
  long arrived;
  int attempts;
  long asked;
  String reason = "";

  /**
   * One that is to be fetched.
   *
   * @param since when that began, by the cache's clock
   */
  CachedObject(String place, String store, String name, long since) {
    this.place = place;
    this.store = store;
    this.name = name;
    this.since = since;
    this.asked = since;
  }

  /** Where it is or will be, below the folder. */
  String place() {
    return place;
  }

  /** Its store's URI. */
  String store() {
    return store;
  }

  /** Its name in the store. */
  String name() {
    return name;
  }

  /** When its fetch began. */
  long since() {
    return since;
  }
}
