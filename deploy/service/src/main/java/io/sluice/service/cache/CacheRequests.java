package io.sluice.service.cache;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.schema.segment.CacheFolder;
import io.sluice.schema.segment.CacheFolder.Answer;
import io.sluice.schema.segment.SegmentStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Answers what is asked of a cache. Each store has threads of its own, so that one that is away
 * keeps nothing of another back.
 */
final class CacheRequests implements AutoCloseable {
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(1);
  private static final int FETCHES = 4;
  private static final int MOST_STATUS = CacheFolder.LONGEST_LINE / 4; // in UTF-8 at most thrice
  private static final ObjectMapper JSON = new ObjectMapper();

  private final CacheDirectory directory;
  private final ObjectCache cache;
  private final Map<String, Served> stores = new LinkedHashMap<>();

  private record Served(SegmentStore store, ObjectSource source, ExecutorService threads) {}

  CacheRequests(CacheSettings settings, CacheDirectory directory, ObjectCache cache) {
    this.directory = directory;
    this.cache = cache;
    for (SegmentStore store : settings.stores()) {
      String word = CacheFolder.word(store);
      ExecutorService threads = Executors.newFixedThreadPool(FETCHES, task -> thread(task, word));
      stores.put(word, new Served(store, ObjectSource.of(store), threads));
    }
  }

  private static Thread thread(Runnable task, String store) {
    Thread thread = new Thread(task, "fetch " + store);
    thread.setDaemon(true);
    return thread;
  }

  /** The answer to a line of a user. */
  String answer(Object user, String line) throws InterruptedException {
    String[] words = line.split(" ", 4);
    try {
      return switch (words.length) {
        case 1 -> ofAll(user, words[0]);
        case 2 -> words[0].equals("serves") ? serves(words[1]) : unknown();
        case 3 -> ofObject(user, words[0], served(words[1]), words[2]);
        default -> unknown();
      };
    } catch (IllegalArgumentException | UncheckedIOException e) {
      return Answer.ERROR.line(String.valueOf(e.getMessage()));
    }
  }

  private static String unknown() {
    return Answer.ERROR.line(
        "a line must be serves STORE, get, ahead, release or check STORE OBJECT, release or status");
  }

  private String ofAll(Object user, String what) {
    return switch (what) {
      case "release" -> {
        cache.release(user);
        yield Answer.OK.line("");
      }
      case "status" -> Answer.OK.line(status());
      default -> unknown();
    };
  }

  /** What is on its way is said as far as a line goes. */
  private String status() {
    CacheStatus status = cache.status();
    String said = json(status);
    while (said.length() > MOST_STATUS && !status.waits().isEmpty()) {
      status = status.with(status.waits().subList(0, status.waits().size() / 2));
      said = json(status);
    }
    return said;
  }

  private static String json(CacheStatus status) {
    try {
      return JSON.writeValueAsString(status);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String serves(String store) {
    served(store);
    return Answer.OK.line("");
  }

  private Served served(String store) {
    Served found = stores.get(store);
    if (found == null) {
      throw new IllegalArgumentException(
          "store must be one of " + stores.keySet() + ", which --store says: found " + store);
    }
    return found;
  }

  private String ofObject(Object user, String what, Served served, String object)
      throws InterruptedException {
    served.store().location(object); // a name that an object can have
    String place = CacheFolder.place(served.store(), object);
    return switch (what) {
      case "get" ->
          cache.get(user, asked(served, place, object), PATIENCE, each -> fetch(served, each));
      case "ahead" -> {
        cache.ahead(asked(served, place, object), FETCHES, each -> fetch(served, each));
        yield Answer.OK.line("");
      }
      case "release" -> {
        cache.release(user, place);
        yield Answer.OK.line("");
      }
      case "check" -> checked(place, object);
      default -> unknown();
    };
  }

  private static CachedObject asked(Served served, String place, String object) {
    return new CachedObject(place, served.store().uri(), object, System.nanoTime());
  }

  private void fetch(Served served, CachedObject object) {
    served.threads().execute(new ObjectFetch(cache, directory, served.source(), object));
  }

  private String checked(String place, String object) {
    Path file = directory.file(place);
    MessageDigest sha256 = ObjectFetch.sha256();
    try (InputStream bytes = new DigestInputStream(Files.newInputStream(file), sha256)) {
      bytes.transferTo(OutputStream.nullOutputStream());
    } catch (NoSuchFileException e) {
      return Answer.OK.line("");
    } catch (IOException e) {
      cache.drop(place);
      return Answer.CORRUPT.line(file + " cannot be read: " + e);
    }
    String found = HexFormat.of().formatHex(sha256.digest());
    if (object.contains("/" + found + ".")) {
      return Answer.OK.line("");
    }
    cache.drop(place);
    return Answer.CORRUPT.line(file + " had the SHA-256 " + found + ", and is deleted");
  }

  /** A user is gone. */
  void gone(Object user) {
    cache.release(user);
  }

  @Override
  public void close() {
    for (Served each : stores.values()) {
      each.threads().shutdownNow();
      each.source().close();
    }
  }
}
