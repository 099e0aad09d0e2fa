package io.sluice.refine.synthesis;

import java.util.Map;
import java.util.TreeMap;

/**
 * Where a document of questions and answers comes from, as its properties say it.
 *
 * @param seed id of the document that it was made of
 * @param rule whether no model made it, but a rule
 * @param corruption level to which it was spoilt, 0 for not at all
 */
record Provenance(
    Template template,
    Map<String, String> values,
    String model,
    RequestKey request,
    String seed,
    boolean rule,
    double corruption) {

  /** The properties of the document; a value of the template is one by its own name. */
  Map<String, String> properties() {
    Map<String, String> properties = new TreeMap<>();
    for (String value : template.values()) {
      properties.put("synthesis-value-" + value, values.getOrDefault(value, ""));
    }
    properties.put("synthesis-template", template.name());
    properties.put("synthesis-template-hash", template.hash());
    properties.put("synthesis-model", model);
    properties.put("synthesis-request", request.first());
    properties.put("synthesis-seed", seed);
    properties.put("synthesis-rule", Boolean.toString(rule));
    properties.put("synthesis-corruption", Double.toString(corruption));
    return properties;
  }
}
