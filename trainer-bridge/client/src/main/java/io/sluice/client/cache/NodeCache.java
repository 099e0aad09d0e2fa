package io.sluice.client.cache;

import io.sluice.client.error.StreamCorruptException;
import io.sluice.client.error.StreamMissingException;
import io.sluice.schema.segment.CacheFolder;
import io.sluice.schema.segment.CacheFolder.Answer;
import io.sluice.schema.segment.SegmentStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The cache of this node, as one reader asks it: connects when it is first asked, and anew when it
 * is asked after a failure. What it gave over an earlier connection may go. Not thread-safe.
 */
public final class NodeCache implements AutoCloseable {
  /** The variable that names its folder. */
  public static final String VARIABLE = "SLUICE_NODE_CACHE";

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final CacheFolder folder;
  private @Nullable CacheConnection connection;
  private int connections;

  /** The cache of a folder. */
  public NodeCache(Path folder) {
    this.folder = new CacheFolder(folder);
  }

  /**
   * The cache that a reader is to ask.
   *
   * @param given its folder, before that of {@link #VARIABLE}
   * @throws IllegalArgumentException if the folder cannot be one
   */
  public static Optional<NodeCache> find(Optional<Path> given, Map<String, String> environment) {
    String named = environment.getOrDefault(VARIABLE, "");
    if (given.isEmpty() && named.isEmpty()) {
      return Optional.empty();
    }
    Path folder = given.orElseGet(() -> Path.of(named)).toAbsolutePath();
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw new IllegalArgumentException(
          (given.isPresent() ? "cache" : VARIABLE)
              + " must be the folder of 'sluice cache': found "
              + folder);
    }
    return Optional.of(new NodeCache(folder));
  }

  /** How to start it, for whoever lacks it. */
  public static String advice(String folder, SegmentStore store) {
    return "start 'sluice cache "
        + folder
        + " --store "
        + store.uri()
        + " --size SIZE' on this node";
  }

  /** Changes when it was connected to anew. */
  public int connections() {
    return connections;
  }

  /**
   * Whether it gives the objects of a store.
   *
   * @throws ObjectAwaitedException if it does not answer
   */
  public boolean serves(SegmentStore store) {
    String answer = ask("serves " + CacheFolder.word(store), store);
    return answer.equals(Answer.OK.line(""));
  }

  /**
   * The file of an object, which it has and keeps for this reader as long as it can.
   *
   * @throws ObjectAwaitedException if it is not there yet, or the cache does not answer
   * @throws CacheFullException if there is no room for it
   * @throws StreamMissingException if the store does not have it, or the cache does not give it
   * @throws StreamCorruptException if the store has other bytes under its name
   */
  public Path get(SegmentStore store, String object) {
    String answer = ask("get " + CacheFolder.word(store) + " " + object, store);
    String[] parts = answer.split(" ", 2);
    String text = parts.length > 1 ? parts[1] : "";
    return switch (answerOf(parts[0])) {
      case OK -> {
        if (!text.equals(CacheFolder.place(store, object))) {
          throw unusable("says that " + object + " is at '" + text + "'");
        }
        yield folder.folder().resolve(text);
      }
      case WAIT -> throw new ObjectAwaitedException(text);
      case FULL -> throw new CacheFullException(in() + " is full: " + text);
      case CORRUPT -> throw new StreamCorruptException(text);
      case MISSING -> throw new StreamMissingException(text);
      case ERROR ->
          throw new StreamMissingException(
              in() + " does not give " + object + ": " + text + "; " + advice(store));
    };
  }

  private static Answer answerOf(String word) {
    for (Answer each : Answer.values()) {
      if (each.line("").equals(word)) {
        return each;
      }
    }
    return Answer.ERROR;
  }

  /** Says that an object will be needed soon. */
  public void ahead(SegmentStore store, String object) {
    ask("ahead " + CacheFolder.word(store) + " " + object, store);
  }

  /** Has it looked at whether an object's file is what it is to be; if not, it is fetched anew. */
  public void check(SegmentStore store, String object) {
    ask("check " + CacheFolder.word(store) + " " + object, store);
  }

  /** Nothing that it gave is used any more. */
  public void release(SegmentStore store) {
    ask("release", store);
  }

  /**
   * What it has and does, in JSON.
   *
   * @throws IOException if it does not answer
   */
  public String status() throws IOException {
    try (CacheConnection once = CacheConnection.open(folder.socket(), PATIENCE)) {
      String answer = once.ask("status");
      String ok = Answer.OK.line("") + " ";
      if (!answer.startsWith(ok)) {
        throw new IOException(in() + " says '" + answer + "'");
      }
      return answer.substring(ok.length());
    }
  }

  private String ask(String line, SegmentStore store) {
    try {
      CacheConnection known = connection;
      if (known == null) {
        known = CacheConnection.open(folder.socket(), PATIENCE);
        connection = known;
        connections++;
      }
      return known.ask(line);
    } catch (IOException e) {
      close();
      throw new ObjectAwaitedException(
          in() + " does not answer (" + e.getMessage() + "): " + advice(store));
    }
  }

  private String advice(SegmentStore store) {
    return advice(folder.folder().toString(), store);
  }

  private ObjectAwaitedException unusable(String what) {
    close();
    return new ObjectAwaitedException(in() + " " + what);
  }

  private String in() {
    return "the cache in " + folder.folder();
  }

  @Override
  public void close() {
    CacheConnection known = connection;
    connection = null;
    if (known != null) {
      try {
        known.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
