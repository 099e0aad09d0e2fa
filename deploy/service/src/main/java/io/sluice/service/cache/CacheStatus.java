package io.sluice.service.cache;

import java.util.List;

/**
 * What a cache has and does.
 *
 * @param size bytes that it may have
 * @param bytes that it has, with those that are on their way
 * @param held objects that connected trainers use
 * @param hits objects that were there when a trainer asked for them
 * @param fetched objects that were fetched, and bytes of them
 * @param evicted objects that went for others
 * @param coming objects that are on their way
 * @param waits of these the first
 */
record CacheStatus(
    long size,
    long bytes,
    int objects,
    int held,
    long hits,
    long fetched,
    long fetchedBytes,
    long evicted,
    int coming,
    List<Coming> waits) {
  /**
   * An object on its way.
   *
   * @param seconds for which it has been
   * @param bytes of it that have come
   * @param reason why it does not come; '' if it does
   */
  record Coming(
      String object, String store, long seconds, int attempts, long bytes, String reason) {}

  /** The same with fewer of those that are on their way. */
  CacheStatus with(List<Coming> first) {
    return new CacheStatus(
        size, bytes, objects, held, hits, fetched, fetchedBytes, evicted, coming, first);
  }
}
