package io.sluice.cli.storage;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Who holds how much.
 *
 * @param owners of each topic
 * @param bytes of each of these
 */
record Holdings(SortedMap<String, Owner> owners, SortedMap<String, TopicBytes> bytes) {
  /** What each owner has, all its topics together. */
  SortedMap<Owner, TopicBytes> byOwner() {
    SortedMap<Owner, TopicBytes> sums = new TreeMap<>();
    owners.forEach((topic, owner) -> sums.merge(owner, of(topic), TopicBytes::plus));
    return sums;
  }

  /** The topics of an owner. */
  SortedMap<String, TopicBytes> topics(Owner owner) {
    SortedMap<String, TopicBytes> topics = new TreeMap<>();
    owners.forEach(
        (topic, each) -> {
          if (each.equals(owner)) {
            topics.put(topic, of(topic));
          }
        });
    return topics;
  }

  /** All of them together. */
  TopicBytes total() {
    return byOwner().values().stream().reduce(TopicBytes.NONE, TopicBytes::plus);
  }

  private TopicBytes of(String topic) {
    return bytes.getOrDefault(topic, TopicBytes.NONE);
  }
}
