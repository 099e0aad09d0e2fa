package io.sluice.refine.decide;

import io.sluice.refine.step.Examination;
import io.sluice.refine.step.StepNames;
import io.sluice.refine.step.StepSettings;
import io.sluice.schema.Document;
import io.sluice.schema.RefineSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;

/** Which domains a training document goes to that is kept, how often, and as what. Immutable. */
final class Placing {
  private final RefineSpec spec;
  private final DomainPattern pattern;
  private final boolean draws;
  private final boolean oneInput;

  Placing(RefineSpec spec) {
    this.spec = spec;
    this.pattern = new DomainPattern(spec.getPattern());
    List<String> targets =
        StepSettings.find(spec, StepNames.TARGETS)
            .map(StepSettings::targetDomains)
            .orElse(List.of());
    this.oneInput = spec.getInputs().size() - targets.size() == 1;
    this.draws = StepSettings.find(spec, StepNames.BASIS).isPresent();
  }

  /** How often a document is there in all domains together; 1 unless basis topics are drawn. */
  int copies(Examination found) {
    return draws ? found.copies().values().stream().mapToInt(Integer::intValue).sum() : 1;
  }

  /**
   * Hands on a document, or each of its copies, whose ids have their number in the domain, from 1.
   *
   * @param properties that it has been given, and had before
   * @param out takes the domain and what goes there
   */
  void place(
      int input,
      Document document,
      Map<String, String> properties,
      Map<String, Integer> copies,
      BiConsumer<String, Document> out) {
    String id = id(input, document.getId());
    if (!draws) {
      out.accept(domain(input, properties), placed(document, id, properties));
      return;
    }
    copies.forEach(
        (topic, count) -> {
          Map<String, String> drawn = new HashMap<>(properties);
          drawn.put(StepNames.BASIS, topic);
          String domain = domain(input, drawn);
          for (int copy = 1; copy <= count; copy++) {
            out.accept(domain, placed(document, id + "#" + copy, drawn));
          }
        });
  }

  private static Document placed(Document document, String id, Map<String, String> properties) {
    return Document.newBuilder(document).setId(id).setProperties(properties).build();
  }

  private String domain(int input, Map<String, String> properties) {
    return pattern.name(place -> value(place, input, properties));
  }

  private String value(String place, int input, Map<String, String> properties) {
    if (place.equals(DomainPattern.INPUT)) {
      return spec.getInputs().get(input);
    }
    String property = place.equals(StepNames.PERPLEXITY) ? DifficultyBuckets.BUCKET : place;
    return Objects.requireNonNull(properties.get(property), property);
  }

  /** Ids of several inputs may be the same; target sets go to domains of their own. */
  private String id(int input, String id) {
    return oneInput ? id : spec.getInputs().get(input) + "/" + id;
  }
}
