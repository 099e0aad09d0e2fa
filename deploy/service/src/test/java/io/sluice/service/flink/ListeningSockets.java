package io.sluice.service.flink;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Where this process takes connections, as Linux says it. */
final class ListeningSockets {
  private static final Path SELF = Path.of("/proc/self");
  private static final String LISTENS = "0A";

  private ListeningSockets() {}

  /** The address of each socket that listens; that of all interfaces is no loopback address. */
  static List<InetAddress> addresses() throws IOException {
    Set<String> own = descriptors();
    List<InetAddress> found = new ArrayList<>();
    for (String table : List.of("net/tcp", "net/tcp6")) {
      for (String line : Files.readAllLines(SELF.resolve(table))) {
        // Its number, where it is, who is at the other end, its state, ..., its inode.
        String[] words = line.strip().split(" +", 0);
        if (words[3].equals(LISTENS) && own.contains("socket:[" + words[9] + "]")) {
          found.add(address(words[1].split(":", 2)[0]));
        }
      }
    }
    return found;
  }

  /** What the process has open. */
  private static Set<String> descriptors() throws IOException {
    Set<String> open = new HashSet<>();
    try (Stream<Path> files = Files.list(SELF.resolve("fd"))) {
      for (Path file : files.toList()) {
        try {
          open.add(Files.readSymbolicLink(file).toString());
        } catch (NoSuchFileException e) {
          // Closed meanwhile.
        }
      }
    }
    return open;
  }

  /** From words of four bytes, of which the last comes first. */
  private static InetAddress address(String hex) throws IOException {
    byte[] given = HexFormat.of().parseHex(hex);
    byte[] bytes = new byte[given.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = given[i ^ 3];
    }
    return InetAddress.getByAddress(bytes);
  }
}
