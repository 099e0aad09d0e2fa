package io.sluice.cli.endpoint;

import io.sluice.control.error.BadInputException;
import io.sluice.refine.synthesis.Endpoint;
import io.sluice.refine.synthesis.Pace;
import io.sluice.refine.synthesis.Sleeper;
import io.sluice.refine.synthesis.Tries;
import io.sluice.refine.synthesis.http.HttpEndpoint;
import io.sluice.refine.synthesis.rule.RuleEndpoint;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Who is asked, and how fast. */
public final class EndpointOptions {
  private static final String RULE = "rule";
  private static final String KEY = "SLUICE_SYNTHESIS_KEY";
  private static final int LONGEST = 86_400;

  @Option(
      names = "--endpoint",
      required = true,
      paramLabel = "URL",
      description =
          "An endpoint that takes OpenAI's chat completions, with or without /v1; or 'rule', which"
              + " is no model: it makes questions of what documentation of code and manuals say, to"
              + " try the rest out.")
  private String endpoint = "";

  @Option(
      names = "--model",
      paramLabel = "NAME",
      description = "The model, as the endpoint knows it.")
  private @Nullable String model;

  @Option(
      names = "--key-env",
      paramLabel = "NAME",
      description =
          "The environment variable with the endpoint's key, if it wants one. Default: "
              + KEY
              + ".")
  private @Nullable String keyVariable;

  @Option(
      names = "--concurrency",
      defaultValue = "4",
      paramLabel = "N",
      description = "Requests at the same time. Default: 4.")
  private int concurrency;

  @Option(
      names = "--rate",
      defaultValue = "0",
      paramLabel = "N",
      description = "Most requests that begin in a minute. Default: as many as there can be.")
  private int rate;

  @Option(
      names = "--timeout",
      defaultValue = "300",
      paramLabel = "SECONDS",
      description = "Longest time of an answer. Default: 300.")
  private int timeout;

  @Option(
      names = "--tries",
      defaultValue = "6",
      paramLabel = "N",
      description =
          "How often a request is made that fails for a reason that may pass, with pauses that"
              + " double or are as long as the endpoint wants. Default: 6.")
  private int tries;

  @Option(
      names = "--refuse-failed",
      description =
          "A request that fails at all tries is refused for good, and the next is asked, rather than"
              + " ending the command.")
  private boolean refuseFailed;

  /** Whether no model is asked, but a rule. */
  public boolean isRule() {
    return endpoint.equals(RULE);
  }

  boolean refusesFailed() {
    return refuseFailed;
  }

  /** The model that is asked. */
  public String model() {
    if (isRule() && model != null) {
      throw new BadInputException("--model must not be given with --endpoint rule: " + model);
    }
    if (!isRule() && model == null) {
      throw new BadInputException("--model must be given with an endpoint that is not 'rule'");
    }
    return model == null ? RuleEndpoint.MODEL : model;
  }

  Pace pace() {
    return new Pace(concurrency, rate, InstantSource.system(), Sleeper.SYSTEM);
  }

  Tries tries(long seed) {
    return Tries.usual(tries, seed);
  }

  /** The endpoint; one by rule looks for the document of a prompt. */
  public Endpoint endpoint(UnaryOperator<String> documentOf) {
    if (isRule()) {
      return new RuleEndpoint(documentOf);
    }
    if (timeout < 1 || timeout > LONGEST) {
      throw new BadInputException(
          "--timeout must be from 1 to " + LONGEST + " seconds: " + timeout);
    }
    return new HttpEndpoint(endpoint, key(), Duration.ofSeconds(timeout), InstantSource.system());
  }

  private Optional<String> key() {
    String key = System.getenv(keyVariable == null ? KEY : keyVariable);
    if (keyVariable != null && (key == null || key.isBlank())) {
      throw new BadInputException(
          "--key-env must be a variable of the environment that has a key: " + keyVariable);
    }
    return Optional.ofNullable(key).map(String::strip).filter(given -> !given.isEmpty());
  }
}
