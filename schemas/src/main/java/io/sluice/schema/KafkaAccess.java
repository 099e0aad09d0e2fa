package io.sluice.schema;

import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

/**
 * How to reach the log: what every job, client and command starts from.
 *
 * @param bootstrapServers {@code host:port[,host:port…]}
 * @param topics names under the deployment's prefix
 * @param properties Kafka client settings that apply to every client, such as security
 * @param createsTopics whether topics that are missing are made, or refused
 */
public record KafkaAccess(
    String bootstrapServers, Topics topics, Map<String, String> properties, boolean createsTopics)
    implements Serializable {
  /** Copies the properties. */
  public KafkaAccess {
    properties = Map.copyOf(properties);
  }

  /** Access of who makes the topics that are missing. */
  public KafkaAccess(String bootstrapServers, Topics topics, Map<String, String> properties) {
    this(bootstrapServers, topics, properties, true);
  }

  /** The same of who leaves topics to others, who have made them. */
  public KafkaAccess withoutCreating() {
    return new KafkaAccess(bootstrapServers, topics, properties, false);
  }

  /** The same with settings that go before its own. */
  public KafkaAccess withSettings(Map<String, String> more) {
    Map<String, String> all = new HashMap<>(properties);
    all.putAll(more);
    return new KafkaAccess(bootstrapServers, topics, all, createsTopics);
  }

  /** Access without further settings, under the default prefix. */
  public static KafkaAccess local(String bootstrapServers) {
    return new KafkaAccess(bootstrapServers, Topics.standard(), Map.of());
  }

  /** Settings of one client: these properties, the bootstrap servers, and the client's own. */
  public Properties with(Map<String, ?> own) {
    Map<String, Object> all = new HashMap<>(properties);
    all.put("bootstrap.servers", bootstrapServers);
    all.putAll(own);
    Properties result = new Properties();
    result.putAll(all);
    return result;
  }

  /** Where Kafka is; the properties may hold passwords, so only their number is named. */
  @Override
  public String toString() {
    return "Kafka at "
        + bootstrapServers
        + " under "
        + topics.prefixes()
        + " with "
        + properties.size()
        + " settings";
  }
}
