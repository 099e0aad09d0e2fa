package io.sluice.service.cache;

import io.sluice.control.error.BadInputException;
import io.sluice.schema.segment.CacheFolder;
import io.sluice.schema.segment.SegmentStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.configuration.MemorySize;

/**
 * What a cache is asked to do.
 *
 * @param folder absolute
 * @param stores whose objects it gives
 * @param size bytes of objects in the folder, at most
 */
public record CacheSettings(Path folder, List<SegmentStore> stores, long size) {
  /** Bytes of the smallest cache. */
  public static final long SMALLEST = 1 << 16;

  /** The settings of options as they were given. */
  public static CacheSettings of(Path folder, List<String> stores, String size) {
    return new CacheSettings(
        folder, stores.stream().map(CacheSettings::store).distinct().toList(), bytes(size));
  }

  private static SegmentStore store(String uri) {
    try {
      return SegmentStore.of(uri);
    } catch (IllegalArgumentException e) {
      throw new BadInputException("--store: " + e.getMessage(), e);
    }
  }

  private static long bytes(String size) {
    try {
      return MemorySize.parseBytes(size);
    } catch (IllegalArgumentException e) {
      throw new BadInputException("--size must be a size such as 512m or 200g: '" + size + "'", e);
    }
  }

  /** Checks the ranges. */
  public CacheSettings {
    stores = List.copyOf(stores);
    folder = folder.toAbsolutePath().normalize();
    if (stores.isEmpty()) {
      throw new BadInputException("--store must be given at least once");
    }
    if (size < SMALLEST) {
      throw new BadInputException("--size must be at least " + SMALLEST + " bytes: found " + size);
    }
    Path socket = new CacheFolder(folder).socket();
    int bytes = socket.toString().getBytes(StandardCharsets.UTF_8).length;
    if (bytes > CacheFolder.LONGEST_SOCKET) {
      throw new BadInputException(
          "cache folder must be such that "
              + socket
              + " has at most "
              + CacheFolder.LONGEST_SOCKET
              + " bytes, as sockets' paths must: found "
              + bytes);
    }
  }
}
