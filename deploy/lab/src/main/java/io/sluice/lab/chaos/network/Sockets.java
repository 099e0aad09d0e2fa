package io.sluice.lab.chaos.network;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Whose socket a port is, as Linux tells its users of their own processes. */
final class Sockets {
  private static final List<String> TABLES = List.of("/proc/net/tcp", "/proc/net/tcp6");
  private static final int LOCAL = 1;
  private static final int INODE = 9;

  private Sockets() {}

  /** Whether this system tells. */
  static boolean areTold() {
    return Files.isReadable(Path.of(TABLES.get(0)));
  }

  /** The first of the processes that has a socket of which this is the local port. */
  static Optional<Long> owner(int port, Collection<Long> pids) {
    Set<String> sockets = new HashSet<>();
    String suffix = String.format(Locale.ROOT, ":%04X", port);
    for (String table : TABLES) {
      for (String line : lines(Path.of(table))) {
        String[] words = line.strip().split("\\s+", -1);
        if (words.length > INODE && words[LOCAL].endsWith(suffix)) {
          sockets.add("socket:[" + words[INODE] + "]");
        }
      }
    }
    return pids.stream().filter(pid -> holdsOne(pid, sockets)).findFirst();
  }

  private static List<String> lines(Path table) {
    try {
      return Files.exists(table) ? Files.readAllLines(table) : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + table, e);
    }
  }

  private static boolean holdsOne(long pid, Set<String> sockets) {
    try (Stream<Path> files = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
      return files.anyMatch(file -> isOne(file, sockets));
    } catch (IOException | UncheckedIOException ended) {
      return false;
    }
  }

  private static boolean isOne(Path file, Set<String> sockets) {
    try {
      return sockets.contains(Files.readSymbolicLink(file).toString());
    } catch (IOException closed) {
      return false;
    }
  }
}
