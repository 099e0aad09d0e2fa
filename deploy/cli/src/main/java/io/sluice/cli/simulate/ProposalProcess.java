package io.sluice.cli.simulate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.control.error.BadInputException;
import io.sluice.mixture.simulate.Proposals;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A program that proposes weights, in any language. For each round it reads a line of JSON, {@code
 * {"step": 150, "weights": {"web": 0.7, …}, "eval_loss": {"web": 2.1, …}}}, and answers with one,
 * {@code {"weights": {"web": 0.6, …}}}; a domain that it leaves out keeps its weight.
 */
final class ProposalProcess implements Proposals {
  /** Is {@code lines} in the program's environment, so that one of Python knows who asks it. */
  static final String VARIABLE = "SLUICE_EXTERNAL";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final List<String> domains;
  private final Duration patience;
  private final Process process;
  private final BufferedWriter questions;
  private final BufferedReader answers;

  private ProposalProcess(List<String> domains, Duration patience, Process process) {
    this.domains = domains;
    this.patience = patience;
    this.process = process;
    this.questions = process.outputWriter(StandardCharsets.UTF_8);
    this.answers = process.inputReader(StandardCharsets.UTF_8);
  }

  /**
   * Starts the program.
   *
   * @param command for the shell
   * @param patience how long an answer may take
   */
  static ProposalProcess start(String command, List<String> domains, Duration patience) {
    try {
      ProcessBuilder program =
          new ProcessBuilder("sh", "-c", command).redirectError(ProcessBuilder.Redirect.INHERIT);
      program.environment().put(VARIABLE, "lines");
      return new ProposalProcess(domains, patience, program.start());
    } catch (IOException e) {
      throw new BadInputException("--external must be a program: '" + command + "': " + e, e);
    }
  }

  @Override
  public double[] propose(long step, double[] weights, double[] losses) {
    Map<String, Object> question = new LinkedHashMap<>();
    question.put("step", step);
    question.put("weights", Course.byDomain(domains, weights));
    question.put("eval_loss", Course.byDomain(domains, losses));
    try {
      questions.write(JSON.writeValueAsString(question));
      questions.newLine();
      questions.flush();
    } catch (IOException e) {
      throw new BadInputException("--external must read a line for each round: " + e, e);
    }
    return weights(step, answer(step));
  }

  private String answer(long step) {
    CompletableFuture<@Nullable String> line =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return answers.readLine();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    try {
      String answer = line.get(patience.toMillis(), TimeUnit.MILLISECONDS);
      if (answer != null) {
        return answer;
      }
      throw new BadInputException("--external must answer step " + step + ": it has ended");
    } catch (TimeoutException e) {
      throw new BadInputException(
          "--external must answer step " + step + " within " + patience.toSeconds() + " s", e);
    } catch (ExecutionException e) {
      throw new BadInputException("--external must answer step " + step + ": " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BadInputException("interrupted while --external answers step " + step, e);
    }
  }

  private double[] weights(long step, String answer) {
    JsonNode weights;
    try {
      weights = JSON.readTree(answer).path("weights");
    } catch (JsonProcessingException e) {
      throw bad(step, answer);
    }
    if (!weights.isObject()) {
      throw bad(step, answer);
    }
    weights
        .fieldNames()
        .forEachRemaining(
            name -> {
              if (!domains.contains(name)) {
                throw bad(step, answer);
              }
            });
    double[] proposed = new double[domains.size()];
    for (int i = 0; i < proposed.length; i++) {
      JsonNode weight = weights.path(domains.get(i));
      if (!weight.isMissingNode() && !weight.isNumber()) {
        throw bad(step, answer);
      }
      proposed[i] = weight.asDouble(Double.NaN);
    }
    return proposed;
  }

  private BadInputException bad(long step, String answer) {
    return new BadInputException(
        "--external must answer step "
            + step
            + " with {\"weights\": {domain: number}} of "
            + domains
            + ": "
            + answer);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
