package io.sluice.control.runs;

import io.sluice.control.config.ConfigSection;
import io.sluice.control.error.BadInputException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How often each domain's blocks are passed over before it counts as ended.
 *
 * @param otherwise of domains without an entry of their own; 0: the end stops the run
 */
record Epochs(int otherwise, Map<String, Integer> byDomain) {
  /** What may be given for a domain. */
  static final String ALLOWED = "redistribute, stop, or {repeat: N}";

  private static final List<String> WORDS = List.of("redistribute", "stop");

  static Epochs read(ConfigSection section) {
    int otherwise = 1;
    Map<String, Integer> byDomain = new LinkedHashMap<>();
    for (String key : section.keys()) {
      int epochs;
      if (section.isSection(key)) {
        ConfigSection choice = section.section(key);
        epochs = (int) choice.count("repeat", "", 1, Integer.MAX_VALUE);
        choice.requireNoOther();
      } else {
        String word = section.text(key, "");
        if (!WORDS.contains(word)) {
          throw section.invalid(key, ALLOWED, word);
        }
        epochs = word.equals("stop") ? 0 : 1;
      }
      if (key.equals("default")) {
        otherwise = epochs;
      } else {
        byDomain.put(key, epochs);
      }
    }
    return new Epochs(otherwise, byDomain);
  }

  /** Of these domains, in their order. */
  List<Integer> of(List<String> domains) {
    for (String domain : byDomain.keySet()) {
      if (!domains.contains(domain)) {
        throw new BadInputException(
            "when-ended." + domain + " is not a domain of the run: " + domains);
      }
    }
    return domains.stream().map(domain -> byDomain.getOrDefault(domain, otherwise)).toList();
  }
}
