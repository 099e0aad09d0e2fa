package io.sluice.jobs.main;

import io.sluice.control.error.BadInputException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.provider.FileConfigProvider;

/**
 * Passwords by the place where they stand: a job's graph is kept by the cluster, in clear, and
 * shown to whoever asks. Kafka's clients read the file themselves, each where it runs and whenever
 * it is made, so that a password that has changed needs no new job.
 */
final class SecretReferences {
  private static final String PROVIDERS = AbstractConfig.CONFIG_PROVIDERS_CONFIG;
  private static final String NAME = "sluice";
  private static final Set<String> SECRETS = secrets();

  private SecretReferences() {}

  /**
   * The settings of a file with references to it in place of passwords.
   *
   * @throws BadInputException if its path cannot be part of a reference
   */
  static Map<String, String> to(Path file, Map<String, String> settings) {
    Map<String, String> safe = new HashMap<>(settings);
    String path = file.toAbsolutePath().normalize().toString();
    boolean any = false;
    for (Map.Entry<String, String> each : settings.entrySet()) {
      if (isSecret(each.getKey()) && !each.getValue().contains("${")) {
        safe.put(each.getKey(), "${" + NAME + ":" + path + ":" + each.getKey() + "}");
        any = true;
      }
    }
    if (any) {
      if (path.contains(":") || path.contains("}")) {
        throw new BadInputException(
            "--kafka-config must have a path without ':' and '}', for it has passwords: " + path);
      }
      safe.merge(PROVIDERS, NAME, (before, added) -> before + "," + added);
      safe.put(PROVIDERS + "." + NAME + ".class", FileConfigProvider.class.getName());
      safe.put(PROVIDERS + "." + NAME + ".param.allowed.paths", path);
    }
    return Map.copyOf(safe);
  }

  /** Settings of a listener or of a mechanism have those of the client behind a prefix. */
  private static boolean isSecret(String key) {
    return SECRETS.contains(key) || SECRETS.stream().anyMatch(secret -> key.endsWith("." + secret));
  }

  private static Set<String> secrets() {
    Set<String> secrets = new HashSet<>();
    Stream.of(ConsumerConfig.configDef(), ProducerConfig.configDef(), AdminClientConfig.configDef())
        .flatMap(definition -> definition.configKeys().values().stream())
        .filter(key -> key.type == ConfigDef.Type.PASSWORD)
        .forEach(key -> secrets.add(key.name));
    return Set.copyOf(secrets);
  }
}
