package io.sluice.lab.chaos.network;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Whose socket a port is at one moment, as Linux tells its users of their own processes. */
final class Sockets {
  private static final List<String> TABLES = List.of("/proc/net/tcp", "/proc/net/tcp6");
  private static final int LOCAL = 1;
  private static final int INODE = 9;
  private static final int HEX = 16;

  private final Map<Integer, Long> owners = new HashMap<>();

  private Sockets() {}

  /** Whether this system tells. */
  static boolean areTold() {
    return Files.isReadable(Path.of(TABLES.get(0)));
  }

  /** Those of some processes. */
  static Sockets of(Collection<Long> pids) {
    Map<String, Long> holders = new HashMap<>();
    pids.forEach(pid -> files(pid).forEach(socket -> holders.put(socket, pid)));
    Sockets sockets = new Sockets();
    for (String table : TABLES) {
      for (String line : lines(Path.of(table))) {
        String[] words = line.strip().split("\\s+", -1);
        Long holder = words.length > INODE ? holders.get("socket:[" + words[INODE] + "]") : null;
        if (holder != null) {
          String address = words[LOCAL];
          int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1), HEX);
          sockets.owners.put(port, holder);
        }
      }
    }
    return sockets;
  }

  /** The process that has a socket of which this is the local port. */
  Optional<Long> owner(int port) {
    return Optional.ofNullable(owners.get(port));
  }

  private static List<String> lines(Path table) {
    try {
      return Files.exists(table) ? Files.readAllLines(table) : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + table, e);
    }
  }

  /** What the process has open; nothing if it has ended. */
  private static List<String> files(long pid) {
    try (Stream<Path> files = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
      return files.flatMap(file -> target(file).stream()).toList();
    } catch (IOException | UncheckedIOException ended) {
      return List.of();
    }
  }

  private static Optional<String> target(Path file) {
    try {
      return Optional.of(Files.readSymbolicLink(file).toString());
    } catch (IOException closed) {
      return Optional.empty();
    }
  }
}
