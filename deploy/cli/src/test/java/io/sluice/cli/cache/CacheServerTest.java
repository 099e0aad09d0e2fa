package io.sluice.cli.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.client.cache.CacheFullException;
import io.sluice.client.cache.NodeCache;
import io.sluice.client.cache.ObjectAwaitedException;
import io.sluice.client.error.StreamCorruptException;
import io.sluice.client.error.StreamMissingException;
import io.sluice.control.error.BadInputException;
import io.sluice.schema.segment.CacheFolder;
import io.sluice.schema.segment.SegmentStore;
import io.sluice.service.Patience;
import io.sluice.service.cache.CacheServer;
import io.sluice.service.cache.CacheSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node's cache keeps, gives and refuses, asked over its socket. */
class CacheServerTest {
  private static final int MIB = 1 << 20;

  @TempDir private Path directory;
  private StoredObjects stored;
  private SegmentStore store;
  private Path folder;
  private final List<AutoCloseable> opened = new ArrayList<>();

  @BeforeEach
  void begin() {
    stored = new StoredObjects(directory.resolve("a store"));
    store = stored.store();
    folder = directory.resolve("cache");
  }

  @AfterEach
  void close() throws Exception {
    for (int i = opened.size() - 1; i >= 0; i--) {
      opened.get(i).close();
    }
  }

  /** A cache that answers until it is closed. */
  private final class Running implements AutoCloseable {
    private final CacheServer server;
    private final Thread thread;

    private Running(long size) {
      server = CacheServer.open(CacheSettings.of(folder, List.of(store.uri()), size + "b"));
      thread =
          new Thread(
              () -> {
                try {
                  server.serve();
                } catch (InterruptedException stopped) {
                  server.close();
                }
              });
      thread.start();
    }

    @Override
    public void close() throws InterruptedException {
      thread.interrupt();
      thread.join();
    }
  }

  private Running run(long size) {
    Running running = new Running(size);
    opened.add(running);
    return running;
  }

  private NodeCache reader() {
    NodeCache reader = new NodeCache(folder);
    opened.add(reader);
    return reader;
  }

  /** Asks until it is there. */
  private Path get(NodeCache reader, String object) {
    List<Path> found = new ArrayList<>();
    Patience.await(
        Patience.MINUTE,
        () -> {
          try {
            return found.add(reader.get(store, object));
          } catch (ObjectAwaitedException e) {
            return false;
          }
        });
    return found.get(0);
  }

  /** Asks until it could be read: as any reader must, since a file may go for one on its way. */
  private byte[] content(NodeCache reader, String object) {
    List<byte[]> read = new ArrayList<>();
    Patience.await(
        Patience.MINUTE,
        () -> {
          try {
            return read.add(Files.readAllBytes(get(reader, object)));
          } catch (NoSuchFileException e) {
            return false;
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    return read.get(0);
  }

  private JsonNode status() throws IOException {
    return new ObjectMapper().readTree(reader().status());
  }

  @Test
  void givesManyReadersWhatIsFetchedOnce() throws IOException {
    String object = stored.put(1, 100_000);
    run(MIB);
    NodeCache first = reader();
    assertThat(first.serves(store)).isTrue();
    assertThat(first.serves(SegmentStore.of("s3://other"))).isFalse();
    Path file = get(first, object);
    assertThat(file).hasSameBinaryContentAs(directory.resolve("a store").resolve(object));
    assertThat(get(reader(), object)).isEqualTo(file);
    JsonNode status = status();
    assertThat(status.get("fetched").asInt()).isEqualTo(1);
    assertThat(status.get("fetchedBytes").asInt()).isEqualTo(100_000);
    assertThat(status.get("hits").asInt()).isEqualTo(1);
    assertThat(status.get("held").asInt()).isEqualTo(1);
    assertThat(first.connections()).isEqualTo(1);
  }

  @Test
  void whatWasAskedForLongestAgoGoesFirstAndWhatIsUsedLast() throws IOException {
    List<String> objects =
        Stream.of(1, 2, 3, 4, 5).map(value -> stored.put(value, MIB / 3)).toList();
    run(MIB);
    NodeCache user = reader();
    Path used = get(user, objects.get(0));
    NodeCache passing = reader();
    Path second = get(passing, objects.get(1));
    Path third = get(passing, objects.get(2));
    assertThat(get(passing, objects.get(1))).isEqualTo(second); // asked for after the third
    passing.release(store);
    Path fourth = get(passing, objects.get(3));
    assertThat(third).doesNotExist();
    assertThat(used).exists();
    Path fifth = get(passing, objects.get(4));
    assertThat(List.of(used, fourth, fifth)).allMatch(Files::exists);
    assertThat(second).doesNotExist();

    Path back = get(passing, objects.get(1)); // all are used: the oldest of them goes
    assertThat(used).doesNotExist();
    assertThat(back).exists();
    JsonNode status = status();
    assertThat(status.get("evicted").asInt()).isEqualTo(3);
    assertThat(status.get("bytes").asLong()).isLessThanOrEqualTo(MIB);
    assertThat(get(user, objects.get(0))).isEqualTo(used).exists();
  }

  @Test
  void refusesWhatItCannotGive() throws IOException {
    run(MIB);
    NodeCache reader = reader();
    String large = stored.put(1, MIB + 1);
    assertThatThrownBy(() -> get(reader, large))
        .isInstanceOf(CacheFullException.class)
        .hasMessageContaining("has 1048577 bytes, and the cache may have 1048576");
    String absent = SegmentStore.rows("data", "ab".repeat(32));
    assertThatThrownBy(() -> get(reader, absent))
        .isInstanceOf(StreamMissingException.class)
        .hasMessageContaining(absent + " of " + store.uri());
    stored.write(absent, new byte[] {1});
    assertThatThrownBy(() -> get(reader, absent))
        .isInstanceOf(StreamCorruptException.class)
        .hasMessageContaining("its bytes have the SHA-256 4bf5122f344554c53bde2ebb8cd2b7e3");
    assertThatThrownBy(() -> reader.get(SegmentStore.of("s3://other"), absent))
        .isInstanceOf(StreamMissingException.class)
        .hasMessageContaining("store must be one of [file://")
        .hasMessageContaining("start 'sluice cache");
    assertThatThrownBy(() -> reader.get(store, "../../etc/passwd"))
        .isInstanceOf(StreamMissingException.class)
        .hasMessageContaining("an object must be called");
    String good = stored.put(2, 10);
    assertThat(get(reader, good)).exists();
    assertThat(status().get("bytes").asInt()).isEqualTo(10);
  }

  @Test
  void whatDoesNotFitBesideOthersOnTheirWayComesAfterThem() throws IOException {
    List<String> objects =
        Stream.of(1, 2, 3, 4).map(value -> stored.put(value, 3 * MIB / 4)).toList();
    run(MIB);
    NodeCache reader = reader();
    for (String object : objects) {
      reader.ahead(store, object);
    }
    for (String object : objects) {
      assertThat(content(reader, object))
          .isEqualTo(Files.readAllBytes(stored.folder().resolve(object)));
    }
    assertThat(status().get("bytes").asLong()).isLessThanOrEqualTo(MIB);
  }

  @Test
  void aStoreThatIsAwayIsWaitedForAndSaysSo() throws IOException {
    String object = stored.put(1, 10);
    Path away = directory.resolve("away");
    Files.move(stored.folder(), away);
    run(MIB);
    NodeCache reader = reader();
    Patience.await(
        Patience.MINUTE,
        () -> {
          try {
            return reader.get(store, object).toString();
          } catch (ObjectAwaitedException e) {
            return String.valueOf(e.getMessage());
          }
        },
        said -> said.contains("does not come: NoSuchFileException"));
    JsonNode waits = status().get("waits").get(0);
    assertThat(waits.get("object").asText()).isEqualTo(object);
    assertThat(waits.get("attempts").asInt()).isPositive();
    Files.move(away, stored.folder());
    assertThat(get(reader, object)).exists();
    assertThat(status().get("waits")).isEmpty();
  }

  @Test
  void whatWasSpoiltOrDeletedIsFetchedAnew() throws IOException {
    String object = stored.put(1, 1000);
    run(MIB);
    NodeCache reader = reader();
    Path file = get(reader, object);
    reader.check(store, object);
    assertThat(file).exists();
    Files.write(file, new byte[1000]);
    reader.check(store, object);
    assertThat(file).doesNotExist();
    assertThat(get(reader, object)).hasSameBinaryContentAs(stored.folder().resolve(object));
    Files.delete(file);
    assertThat(get(reader, object)).exists();
    assertThat(status().get("bytes").asInt()).isEqualTo(1000);
  }

  @Test
  void whatIsNeededNextIsFetchedUnasked() throws IOException {
    String object = stored.put(1, 1000);
    run(MIB);
    reader().ahead(store, object);
    Patience.await(Patience.MINUTE, this::hasFetched);
    assertThat(status().get("held").asInt()).isZero();
    reader().ahead(store, SegmentStore.rows("data", "ab".repeat(32)));
    Patience.await(Patience.MINUTE, () -> isQuiet());
  }

  private boolean hasFetched() {
    try {
      return status().get("fetched").asInt() == 1;
    } catch (IOException e) {
      return false;
    }
  }

  private boolean isQuiet() {
    try {
      return status().get("coming").asInt() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void hasAfterItsEndWhatItHadAndWhoUsedItConnectsAnew() throws Exception {
    String first = stored.put(1, 900_000);
    String second = stored.put(2, 1_000_000);
    NodeCache reader = reader();
    assertThatThrownBy(() -> reader.get(store, first))
        .isInstanceOf(ObjectAwaitedException.class)
        .hasMessageContaining("does not answer")
        .hasMessageContaining("start 'sluice cache " + folder + " --store " + store.uri());
    Running running = run(2 * MIB);
    Path old = get(reader, first);
    Path young = get(reader, second);
    Files.setLastModifiedTime(old, FileTime.fromMillis(1000));
    running.close();
    assertThatThrownBy(() -> reader.get(store, first)).isInstanceOf(ObjectAwaitedException.class);
    Files.writeString(folder.resolve("tmp/begun"), "not whole");

    run(MIB);
    assertThat(get(reader, second)).isEqualTo(young);
    assertThat(reader.connections()).isEqualTo(2);
    assertThat(old).doesNotExist(); // there is less room now
    assertThat(folder.resolve("tmp")).isEmptyDirectory();
    JsonNode status = status();
    assertThat(status.get("fetched").asInt()).isZero();
    assertThat(status.get("objects").asInt()).isEqualTo(1);
  }

  @Test
  void aFolderIsItsOwnAndNobodyElses() throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("thesis.txt"), "mine");
    refused("must be empty, or a cache's");
    Files.delete(folder.resolve("thesis.txt"));
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    refused("must have the permissions rwx------");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    run(MIB);
    refused("must be used by one cache at a time");
    Path other = directory.resolve("x".repeat(110));
    assertThatThrownBy(() -> CacheSettings.of(other, List.of("file:///a"), "1m"))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining("has at most 103 bytes");
    assertThatThrownBy(() -> CacheSettings.of(folder, List.of("ftp://a"), "1m"))
        .hasMessageContaining("--store: store must be file:///");
    assertThatThrownBy(() -> CacheSettings.of(folder, List.of("file:///a"), "much"))
        .hasMessageContaining("--size must be a size such as");
    assertThatThrownBy(() -> CacheSettings.of(folder, List.of("file:///a"), "1k"))
        .hasMessageContaining("--size must be at least 65536 bytes");
  }

  private void refused(String why) {
    assertThatThrownBy(() -> new Running(MIB))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining(why);
  }

  @Test
  void strangeLinesHarmNobody() throws IOException {
    String object = stored.put(1, 10);
    run(MIB);
    NodeCache reader = reader();
    get(reader, object);
    assertThat(said("hello\n")).isEqualTo("error the first line must be sluice-cache 1\n");
    assertThat(said("x".repeat(10_000))).doesNotContain("ok");
    String greeting = CacheFolder.GREETING + "\n";
    String greeted = "ok " + greeting;
    assertThat(said(greeting + "dance\nget\nget a\nget a b\nget a b c d\n"))
        .startsWith(greeted + "error a line must be ")
        .contains("error store must be one of ");
    assertThat(said(greeting + "y".repeat(5000) + "\n")).isEqualTo(greeted);
    String word = CacheFolder.word(store);
    assertThat(said(greeting + "get " + word + " " + object.replace("data", "..") + "\nstatus\n"))
        .contains("error an object must be called")
        .contains("ok {\"size\":1048576");
    assertThat(get(reader, object)).exists();
  }

  /** What the cache answers until it has heard everything. */
  private String said(String lines) throws IOException {
    UnixDomainSocketAddress address = UnixDomainSocketAddress.of(new CacheFolder(folder).socket());
    try (SocketChannel channel = SocketChannel.open(address)) {
      try {
        channel.write(ByteBuffer.wrap(lines.getBytes(StandardCharsets.UTF_8)));
        channel.shutdownOutput();
      } catch (IOException closed) {
        // It has heard enough.
      }
      ByteArrayOutputStream answers = new ByteArrayOutputStream();
      try {
        Channels.newInputStream(channel).transferTo(answers);
      } catch (IOException closed) {
        // It has left the rest unread.
      }
      return answers.toString(StandardCharsets.UTF_8);
    }
  }
}
