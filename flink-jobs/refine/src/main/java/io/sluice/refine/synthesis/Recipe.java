package io.sluice.refine.synthesis;

import io.sluice.control.error.BadInputException;
import io.sluice.refine.synthesis.qa.Corruption;
import io.sluice.refine.synthesis.qa.QaForm;
import io.sluice.refine.synthesis.qa.QaPair;
import java.util.Map;
import java.util.TreeMap;

/**
 * How documents are made of seeds, but for the asking: which request a seed becomes, and what of a
 * reply becomes a document. The same seed and reply give the same document. Immutable.
 */
public final class Recipe implements Task {
  private static final int MOST_CHARACTERS = 1 << 20;

  private final Template template;
  private final Map<String, String> values;
  private final String model;
  private final Sampling sampling;
  private final int snippet;
  private final Corruption corruption;
  private final boolean rule;
  private final QaForm form;

  /**
   * A recipe.
   *
   * @param values of the template's places
   * @param snippet most UTF-16 units of a seed that are shown, from 1 to 1,048,576
   * @param rule whether no model answers, but a rule
   * @throws BadInputException if a value is missing
   */
  public Recipe(
      Template template,
      Map<String, String> values,
      String model,
      Sampling sampling,
      int snippet,
      Corruption corruption,
      boolean rule) {
    if (snippet < 1 || snippet > MOST_CHARACTERS) {
      throw new BadInputException(
          "--snippet must be from 1 to " + MOST_CHARACTERS + " characters: " + snippet);
    }
    this.template = template;
    this.values = Map.copyOf(new TreeMap<>(values));
    this.model = model;
    this.sampling = sampling;
    this.snippet = snippet;
    this.corruption = corruption;
    this.rule = rule;
    this.form = new QaForm(template.instructions());
    template.prompt("", values);
  }

  @Override
  public Request request(Seed seed) {
    String shown = seed.snippet(snippet, sampling.seed());
    return new Request(model, template.prompt(shown, values), sampling);
  }

  @Override
  public Outcome outcome(String seed, RequestKey key, Reply.Settled reply) {
    if (!(reply instanceof Reply.Answered answered)) {
      return Outcome.Refused.byEndpoint(seed, reply);
    }
    QaForm.Found found = form.read(answered.text(), answered.cut());
    if (!(found instanceof QaForm.Found.Pairs pairs)) {
      return new Outcome.Refused(seed, ((QaForm.Found.None) found).why().words(), "");
    }
    Provenance from = new Provenance(template, values, model, key, seed, rule, corruption.level());
    String text = corruption.of(QaPair.text(pairs.pairs()), key.hex());
    return new Outcome.Made(seed, "qa-" + key.hex().substring(0, 32), text, from.properties());
  }
}
