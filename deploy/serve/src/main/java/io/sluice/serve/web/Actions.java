package io.sluice.serve.web;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.control.runs.RunAdmin;
import io.sluice.control.runs.RunCommands;
import io.sluice.schema.DomainShare;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.SetWeights;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What can be asked of runs: it is written as a command, which the run's log answers. */
final class Actions {
  private static final Set<String> PHASES = new TreeSet<>(Set.of("running", "paused"));
  private static final int MOST_REASON = 1000;

  private final RunCommands commands;

  Actions(KafkaAccess access) {
    commands = RunAdmin.commands(access);
  }

  /**
   * Asks for another phase.
   *
   * @return the command's id
   * @throws IllegalArgumentException if the body asks for none
   */
  String phase(String runId, ObjectNode body) {
    String phase = body.path("phase").asText("");
    if (!PHASES.contains(phase)) {
      throw new IllegalArgumentException("phase must be one of " + PHASES + ": '" + phase + "'");
    }
    return commands.change(runId, phase, reason(body, "asked on the page"));
  }

  /**
   * Sets weights.
   *
   * @param domains of the run
   * @return the command's id
   * @throws IllegalArgumentException if the body sets none, or names others
   */
  String weights(String runId, ObjectNode body, List<String> domains) {
    if (!(body.get("set") instanceof ObjectNode set) || set.isEmpty()) {
      throw new IllegalArgumentException("set must name at least one domain with its share");
    }
    List<DomainShare> shares = new ArrayList<>();
    for (Map.Entry<String, JsonNode> each : set.properties()) {
      if (!domains.contains(each.getKey())) {
        throw new IllegalArgumentException(
            "set must name domains of the run: '" + each.getKey() + "'");
      }
      double share = each.getValue().isNumber() ? each.getValue().asDouble() : Double.NaN;
      if (!(share >= 0 && share <= 1)) {
        throw new IllegalArgumentException(
            "the share of '" + each.getKey() + "' must be in [0, 1]: " + each.getValue());
      }
      shares.add(new DomainShare(each.getKey(), share));
    }
    Boolean pin = body.has("pin") ? body.path("pin").asBoolean() : null;
    return commands.send(
        runId, new SetWeights(shares, pin, reason(body, "weights set on the page")));
  }

  private static String reason(ObjectNode body, String usual) {
    String reason = body.path("reason").asText("");
    if (reason.length() > MOST_REASON) {
      throw new IllegalArgumentException(
          "reason must have at most " + MOST_REASON + " characters: " + reason.length());
    }
    return reason.isEmpty() ? usual : reason;
  }
}
