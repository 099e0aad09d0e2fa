package io.sluice.refine.synthesis.live;

import io.sluice.control.error.BadInputException;
import io.sluice.refine.step.StepNames;
import io.sluice.refine.step.StepSettings;
import io.sluice.refine.synthesis.AnswerStore;
import io.sluice.refine.synthesis.Asking;
import io.sluice.refine.synthesis.Endpoint;
import io.sluice.refine.synthesis.Pace;
import io.sluice.refine.synthesis.Recipe;
import io.sluice.refine.synthesis.Sampling;
import io.sluice.refine.synthesis.Seed;
import io.sluice.refine.synthesis.Sleeper;
import io.sluice.refine.synthesis.Template;
import io.sluice.refine.synthesis.TokenBudget;
import io.sluice.refine.synthesis.Tries;
import io.sluice.refine.synthesis.http.HttpEndpoint;
import io.sluice.refine.synthesis.qa.Corruption;
import io.sluice.refine.synthesis.rule.RuleEndpoint;
import io.sluice.schema.RefineStep;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The settings of the step {@link StepNames#SYNTHESIZE}: what is asked of each document, of whom,
 * and how fast. The template's text is in them, so that it is the same on all machines.
 *
 * @param step with every setting
 */
public record SynthesisStep(RefineStep step) {
  /** The endpoint that is no model. */
  public static final String RULE = "rule";

  /** The template's text, in the settings. */
  public static final String TEXT = "template-text";

  /** How many requests are asked at the same time. */
  public static final String CONCURRENCY = "concurrency";

  /** Tokens that may be spent; 0 for any number. */
  public static final String BUDGET = "budget-tokens";

  /** Settings that may change while the documents stay what they are. */
  private static final Set<String> FREE =
      Set.of("endpoint", CONCURRENCY, "rate", "timeout", "tries", BUDGET, "key-env");

  private static final String DISCIPLINE = "discipline";

  /**
   * Refuses settings of which nothing can be made.
   *
   * @throws BadInputException naming what is wrong
   */
  public void requireUsable() {
    recipe();
    pace();
    if (isRule() != model().equals(RuleEndpoint.MODEL)) {
      throw new BadInputException(
          "synthesize.model must be '"
              + RuleEndpoint.MODEL
              + "' with the endpoint 'rule', and only then: found "
              + model());
    }
  }

  /** Those that decide which documents are made. */
  public static Map<String, String> deciding(RefineStep step) {
    Map<String, String> deciding = new TreeMap<>(step.getSettings());
    deciding.keySet().removeAll(FREE);
    deciding.put(RULE, Boolean.toString(new SynthesisStep(step).isRule()));
    return deciding;
  }

  /** Requests at the same time. */
  public int concurrency() {
    return StepSettings.whole(step, CONCURRENCY);
  }

  /** Most tokens that a request may take, whatever the seed. */
  public long mostTokens() {
    String longest = "\uffff".repeat(StepSettings.whole(step, "snippet"));
    return recipe().request(new Seed("longest", longest)).mostTokens();
  }

  /** Most tokens that may be spent. */
  public long budget() {
    long budget = StepSettings.large(step, BUDGET);
    return budget == 0 ? TokenBudget.UNLIMITED : budget;
  }

  /**
   * Answers of the endpoint, and those that a store has.
   *
   * @param environment the machine's, in which the endpoint's key is
   */
  public SeedAnswers answers(AnswerStore store, Map<String, String> environment) {
    TokenBudget budget = new TokenBudget(budget(), store.spent());
    Tries tries = Tries.usual(StepSettings.whole(step, "tries"), seed());
    Asking asking = new Asking(endpoint(environment), store, budget, pace(), tries, false);
    return new SeedAnswers(recipe(), store, budget, asking);
  }

  private Endpoint endpoint(Map<String, String> environment) {
    if (isRule()) {
      Template template = template();
      Map<String, String> values = values();
      return new RuleEndpoint(prompt -> template.documentOf(prompt, values));
    }
    Optional<String> key =
        Optional.ofNullable(environment.get(StepSettings.text(step, "key-env")))
            .map(String::strip)
            .filter(given -> !given.isEmpty());
    Duration timeout = Duration.ofSeconds(StepSettings.whole(step, "timeout"));
    return new HttpEndpoint(address(), key, timeout, InstantSource.system());
  }

  private Recipe recipe() {
    return new Recipe(
        template(),
        values(),
        model(),
        new Sampling(
            StepSettings.number(step, "temperature"),
            StepSettings.whole(step, "max-tokens"),
            seed()),
        StepSettings.whole(step, "snippet"),
        new Corruption(StepSettings.number(step, "corruption"), seed()),
        isRule());
  }

  private Pace pace() {
    int rate = StepSettings.whole(step, "rate");
    return new Pace(concurrency(), rate, InstantSource.system(), Sleeper.SYSTEM);
  }

  private Template template() {
    return new Template(StepSettings.text(step, "template"), StepSettings.text(step, TEXT));
  }

  private Map<String, String> values() {
    String discipline = StepSettings.text(step, DISCIPLINE);
    return discipline.isEmpty() ? Map.of() : Map.of(DISCIPLINE, discipline);
  }

  private String address() {
    return StepSettings.text(step, "endpoint");
  }

  private String model() {
    return StepSettings.text(step, "model");
  }

  private boolean isRule() {
    return address().equals(RULE);
  }

  private long seed() {
    return StepSettings.large(step, "seed");
  }
}
