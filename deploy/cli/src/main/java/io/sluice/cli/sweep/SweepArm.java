package io.sluice.cli.sweep;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.control.config.ConfigSection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What some runs of a sweep, one for each seed, have and others do not.
 *
 * @param name in the names of its runs
 * @param changes what its run files say otherwise, by key; a dot leads into the map before it
 */
record SweepArm(String name, Map<String, JsonNode> changes) {
  /** Copies the map. */
  SweepArm {
    changes = Collections.unmodifiableMap(new LinkedHashMap<>(changes));
  }

  /** For people. */
  String label() {
    return changes.entrySet().stream()
        .map(each -> last(each.getKey()) + " = " + shown(each.getValue()))
        .collect(Collectors.joining(", "));
  }

  private static String last(String key) {
    return key.substring(key.lastIndexOf('.') + 1);
  }

  private static String shown(JsonNode value) {
    return value.isTextual() ? value.textValue() : value.toString();
  }

  /** The run file of one of its runs. */
  ConfigSection file(ConfigSection common, Map<String, JsonNode> own) {
    Map<String, JsonNode> all = new LinkedHashMap<>(changes);
    all.putAll(own);
    return common.with("sweep's run, arm " + name, all);
  }
}
