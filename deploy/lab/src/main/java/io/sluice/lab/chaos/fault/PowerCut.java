package io.sluice.lab.chaos.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A broker's logs as they are after a power cut. What lay in a segment when this was made has been
 * written back by the system since; of what came after, each partition by itself loses everything
 * from one batch on. Indexes and producers' states of what is cut are gone, too: the broker makes
 * them from the segment, as it does after any end that was not in order.
 */
public final class PowerCut {
  private static final Pattern PARTITION = Pattern.compile("(.+)-\\d+");
  private static final Pattern NAMED_BY_OFFSET = Pattern.compile("(\\d{20})\\.(\\w+)");
  private static final String SEGMENT = ".log";
  private static final int HEADER = 12;
  private static final int LENGTH_AT = 8;

  /** The controllers' own log, of which each record is on the disk before it counts. */
  private static final String METADATA = "__cluster_metadata";

  private final Path log;
  private final Predicate<String> safe;
  private final Map<Path, Long> written = new HashMap<>();

  /**
   * Notes what is there now.
   *
   * @param log a broker's log directory
   * @param safe whether a topic's records are on the disk as soon as they are written
   */
  public PowerCut(Path log, Predicate<String> safe) {
    this.log = log;
    this.safe = safe;
    for (Path partition : partitions()) {
      active(partition).ifPresent(segment -> written.put(segment, size(segment)));
    }
  }

  /**
   * Cuts the logs of the broker, which must not run.
   *
   * @return how many partitions have lost something
   */
  public int cut(Random random) {
    int shorter = 0;
    for (Path partition : partitions()) {
      Optional<Path> segment = active(partition);
      if (segment.isPresent() && cut(partition, segment.get(), random)) {
        shorter++;
      }
    }
    return shorter;
  }

  private boolean cut(Path partition, Path segment, Random random) {
    try (FileChannel file =
        FileChannel.open(segment, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      List<Long> ends = ends(file, written.getOrDefault(segment, 0L));
      if (ends.isEmpty()) {
        return false;
      }
      long end = ends.get(random.nextInt(ends.size()));
      boolean shorter = end < file.size();
      file.truncate(end);
      file.force(true);
      removeDerived(partition, segment);
      return shorter;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot cut " + segment, e);
    }
  }

  /** Where batches of the segment end, from what had been written on. */
  private static List<Long> ends(FileChannel file, long from) throws IOException {
    List<Long> ends = new ArrayList<>();
    ByteBuffer header = ByteBuffer.allocate(HEADER);
    long position = 0;
    while (position <= file.size()) {
      if (position >= from) {
        ends.add(position);
      }
      if (file.read(header.clear(), position) < HEADER || header.getInt(LENGTH_AT) <= 0) {
        break;
      }
      position += HEADER + header.getInt(LENGTH_AT);
    }
    return ends;
  }

  /** What the broker had made of the segment, and of the log up to a place beyond its beginning. */
  private static void removeDerived(Path partition, Path segment) throws IOException {
    long first = offset(segment).orElseThrow();
    for (Path file : files(partition)) {
      Optional<Long> at = offset(file);
      if (at.isPresent()
          && !file.toString().endsWith(SEGMENT)
          && (at.get() > first || (at.get() == first && !file.toString().endsWith(".snapshot")))) {
        Files.delete(file);
      }
    }
  }

  private List<Path> partitions() {
    return files(log).stream().filter(this::canLose).toList();
  }

  private boolean canLose(Path directory) {
    Matcher name = PARTITION.matcher(Objects.requireNonNull(directory.getFileName()).toString());
    return name.matches()
        && Files.isDirectory(directory)
        && !name.group(1).equals(METADATA)
        && !safe.test(name.group(1));
  }

  /** The segment that is written to. */
  private static Optional<Path> active(Path partition) {
    return files(partition).stream()
        .filter(file -> file.toString().endsWith(SEGMENT) && offset(file).isPresent())
        .max(Comparator.naturalOrder());
  }

  private static Optional<Long> offset(Path file) {
    Matcher name = NAMED_BY_OFFSET.matcher(Objects.requireNonNull(file.getFileName()).toString());
    return name.matches() ? Optional.of(Long.parseLong(name.group(1))) : Optional.empty();
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException gone) {
      return 0;
    }
  }

  private static List<Path> files(Path directory) {
    try (Stream<Path> found = Files.list(directory)) {
      return found.toList();
    } catch (IOException gone) {
      return List.of();
    }
  }
}
