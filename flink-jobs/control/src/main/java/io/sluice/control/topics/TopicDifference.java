package io.sluice.control.topics;

/**
 * What a topic has otherwise than it should.
 *
 * @param topic its name
 * @param key 'partitions', a Kafka topic config, or what else is said of a topic
 */
public record TopicDifference(String topic, String key, String wanted, String found) {
  @Override
  public String toString() {
    return "topic " + topic + " must have " + key + " = " + wanted + ": it exists with " + found;
  }
}
