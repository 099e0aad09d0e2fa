package io.sluice.service.cache;

import io.sluice.schema.segment.CacheFolder.Answer;
import io.sluice.service.cache.CachedObject.State;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Which objects are there, and which go when room is needed: those that were asked for longest ago,
 * of those that nobody uses before those that somebody does. Who has a file mapped keeps its bytes
 * when it goes. Thread-safe.
 */
final class ObjectCache {
  /** After so long an object that does not come, and that nobody asks for, is given up. */
  private static final long PATIENCE = TimeUnit.MINUTES.toNanos(1);

  private static final int MOST_TEXT = 400;

  private final CacheDirectory directory;
  private final long size;
  private final LongSupplier nanos;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<String, CachedObject> objects = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;
  private long hits;
  private long fetched;
  private long fetchedBytes;
  private long evicted;

  /** A cache of what a folder has, of which what is too much goes. */
  ObjectCache(CacheDirectory directory, long size, LongSupplier nanos) throws IOException {
    this.directory = directory;
    this.size = size;
    this.nanos = nanos;
    for (CacheDirectory.Found found : directory.objects()) {
      CachedObject object = new CachedObject(found.place(), "", found.place(), now());
      object.state = State.THERE;
      object.bytes = found.bytes();
      bytes += found.bytes();
      objects.put(found.place(), object);
    }
    makeRoom(0);
  }

  private long now() {
    return nanos.getAsLong();
  }

  /**
   * The place of an object, which a user has from now on, or what else there is to say of it.
   *
   * @param patience for it to come, in nanoseconds
   * @param fetch is told to, if it is not there
   */
  String get(Object user, CachedObject asked, long patience, Consumer<CachedObject> fetch)
      throws InterruptedException {
    lock.lock();
    try {
      CachedObject object = known(asked, fetch);
      if (object.state == State.THERE && !object.waiting.contains(user)) {
        hits++;
      }
      object.waiting.add(user);
      for (long left = patience; object.state == State.COMING && left > 0; ) {
        left = changed.awaitNanos(left);
      }
      object.asked = now();
      return answer(user, object);
    } finally {
      lock.unlock();
    }
  }

  private CachedObject known(CachedObject asked, Consumer<CachedObject> fetch) {
    CachedObject found = objects.get(asked.place());
    if (found != null && found.state == State.THERE && !Files.exists(file(found))) {
      forget(found); // somebody deleted it
      found = null;
    }
    if (found == null) {
      objects.put(asked.place(), asked);
      fetch.accept(asked);
      return asked;
    }
    return found;
  }

  private Path file(CachedObject object) {
    return directory.file(object.place());
  }

  private String answer(Object user, CachedObject object) {
    if (object.state == State.COMING) {
      return Answer.WAIT.line(progress(object));
    }
    object.waiting.remove(user);
    if (object.state == State.THERE) {
      object.holders.add(user);
      return Answer.OK.line(object.place());
    }
    objects.remove(object.place(), object);
    return object.reason;
  }

  private String progress(CachedObject object) {
    String what = object.name() + " of " + object.store();
    return object.reason.isEmpty()
        ? what + " is being fetched: " + object.arrived + " of " + object.bytes + " bytes"
        : what + " does not come: " + object.reason;
  }

  /** Fetches an object that is not there, if little else is fetched of its store. */
  void ahead(CachedObject asked, int most, Consumer<CachedObject> fetch) {
    lock.lock();
    try {
      long coming =
          objects.values().stream()
              .filter(each -> each.state == State.COMING && each.store().equals(asked.store()))
              .count();
      if (coming < most) {
        known(asked, fetch);
      }
    } finally {
      lock.unlock();
    }
  }

  /** A user does not use an object any more. */
  void release(Object user, String place) {
    lock.lock();
    try {
      CachedObject object = objects.get(place);
      if (object != null) {
        object.holders.remove(user);
      }
    } finally {
      lock.unlock();
    }
  }

  /** A user uses nothing any more. */
  void release(Object user) {
    lock.lock();
    try {
      for (CachedObject object : objects.values()) {
        object.holders.remove(user);
        object.waiting.remove(user);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whether an object is still to be fetched. */
  boolean wants(CachedObject object) {
    lock.lock();
    try {
      boolean wanted = now() - object.asked < PATIENCE;
      if (!wanted) {
        remove(object);
      }
      return wanted;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Makes room for an object that is being fetched.
   *
   * @throws NoRoomException if it is longer than all that could go for it
   */
  void reserve(CachedObject object, long length) {
    lock.lock();
    try {
      bytes -= object.bytes;
      object.bytes = 0;
      object.arrived = 0;
      makeRoom(length);
      object.bytes = length;
      bytes += length;
    } finally {
      lock.unlock();
    }
  }

  private void makeRoom(long length) {
    if (length > size) {
      throw NoRoomException.lasting(
          "it has " + length + " bytes, and the cache may have " + size + " in all: see --size");
    }
    for (boolean held : List.of(false, true)) {
      for (CachedObject each : List.copyOf(objects.values())) {
        if (bytes + length <= size) {
          return;
        }
        if (each.state == State.THERE && each.holders.isEmpty() != held) {
          forget(each);
          evicted++;
        }
      }
    }
    if (bytes + length > size) {
      throw NoRoomException.passing(
          "waits for room: others on their way have " + bytes + " of " + size + " bytes");
    }
  }

  private void forget(CachedObject object) {
    remove(object);
    try {
      Files.deleteIfExists(file(object));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void remove(CachedObject object) {
    if (objects.remove(object.place(), object)) {
      bytes -= object.bytes;
      object.bytes = 0;
    }
  }

  /** More bytes of an object have come. */
  void came(CachedObject object, long arrived) {
    lock.lock();
    try {
      object.arrived = arrived;
      object.reason = "";
    } finally {
      lock.unlock();
    }
  }

  /** An object has its place. */
  void there(CachedObject object) {
    lock.lock();
    try {
      object.state = State.THERE;
      fetched++;
      fetchedBytes += object.bytes;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** A try has failed, and another will follow. */
  void failed(CachedObject object, String reason) {
    lock.lock();
    try {
      object.attempts++;
      object.reason = cut(reason);
    } finally {
      lock.unlock();
    }
  }

  private static String cut(String text) {
    return text.length() <= MOST_TEXT ? text : text.substring(0, MOST_TEXT);
  }

  /** An object will not come, and this is the answer for who asks for it. */
  void refused(CachedObject object, Answer answer, String text) {
    lock.lock();
    try {
      bytes -= object.bytes;
      object.bytes = 0;
      object.state = State.REFUSED;
      object.reason = answer.line(object.name() + " of " + object.store() + ": " + cut(text));
      if (object.waiting.isEmpty()) {
        objects.remove(object.place(), object);
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Deletes an object whose file is not what it is to be, so that it is fetched anew. */
  void drop(String place) {
    lock.lock();
    try {
      CachedObject object = objects.get(place);
      if (object != null && object.state == State.THERE) {
        forget(object);
      }
    } finally {
      lock.unlock();
    }
  }

  /** How it is now. */
  CacheStatus status() {
    lock.lock();
    try {
      List<CacheStatus.Coming> coming = new ArrayList<>();
      int there = 0;
      int held = 0;
      for (CachedObject each : objects.values()) {
        if (each.state == State.COMING) {
          coming.add(
              new CacheStatus.Coming(
                  each.name(),
                  each.store(),
                  TimeUnit.NANOSECONDS.toSeconds(now() - each.since()),
                  each.attempts,
                  each.arrived,
                  each.reason));
        } else if (each.state == State.THERE) {
          there++;
          held += each.holders.isEmpty() ? 0 : 1;
        }
      }
      return new CacheStatus(
          size, bytes, there, held, hits, fetched, fetchedBytes, evicted, coming.size(), coming);
    } finally {
      lock.unlock();
    }
  }
}
