package io.sluice.cli.storage;

/**
 * What a topic takes on its brokers' disks, as these say it: bytes of its log, without indexes.
 *
 * @param partitions of which a broker has a log
 * @param logs of all partitions, each as often as brokers have it
 * @param bytes of all logs
 * @param once bytes of each partition's largest log
 */
public record TopicBytes(int partitions, int logs, long bytes, long once) {
  /** Of a topic of which no broker has a log. */
  public static final TopicBytes NONE = new TopicBytes(0, 0, 0, 0);

  /** Of several topics together. */
  public TopicBytes plus(TopicBytes other) {
    return new TopicBytes(
        partitions + other.partitions, logs + other.logs, bytes + other.bytes, once + other.once);
  }
}
