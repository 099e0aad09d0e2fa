package io.sluice.cli.endpoint;

import io.sluice.cli.options.WritableFile;
import io.sluice.control.error.BadInputException;
import io.sluice.control.error.UnreachableException;
import io.sluice.refine.synthesis.AnswerStore;
import io.sluice.refine.synthesis.Endpoint;
import io.sluice.refine.synthesis.Outcome;
import io.sluice.refine.synthesis.Seed;
import io.sluice.refine.synthesis.Synthesizer;
import io.sluice.refine.synthesis.Task;
import io.sluice.refine.synthesis.TokenBudget;
import io.sluice.refine.synthesis.store.AnswerFile;
import io.sluice.schema.Document;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Asks an endpoint something of each of many documents. What it has answered is kept in a file: the
 * same command goes on where it was stopped, and asks and pays nothing twice.
 */
public final class Questions {
  private static final long TELLING = Duration.ofSeconds(10).toNanos();
  private static final int SHOWN = 5;

  @Mixin private EndpointOptions endpoint = new EndpointOptions();

  @Option(
      names = "--answers",
      paramLabel = "FILE",
      converter = WritableFile.class,
      description =
          "Where answers are kept, and what they cost. Default: the path of --out and '.answers'.")
  private @Nullable Path answers;

  @Option(
      names = "--budget-tokens",
      paramLabel = "N",
      description =
          "Most tokens of prompts and answers, of all commands with the same file of answers.")
  private @Nullable Long tokens;

  private long told;
  private long refusals;

  /** Where the documents come from. */
  public interface Source {
    /** Hands them on, in the same order each time. */
    void read(Consumer<Document> documents);
  }

  /** Who is asked. */
  public EndpointOptions endpoint() {
    return endpoint;
  }

  /**
   * Asks about all documents.
   *
   * @param out of the command: it must not be there without its answers
   * @param seed of the pauses between tries
   * @param output opened once nobody else uses the answers; has what came before in its place also
   *     where the rest cannot be had
   * @throws UnreachableException if the endpoint does not answer
   */
  public AnswersReport ask(
      Task task,
      Endpoint asked,
      Path out,
      long seed,
      Source source,
      Supplier<Output> output,
      Consumer<String> notice) {
    Path kept = answers == null ? out.resolveSibling(out.getFileName() + ".answers") : answers;
    if (Files.exists(out) && !Files.exists(kept)) {
      throw new BadInputException(
          "--out must not be there yet, or have its answers with it: " + out + " without " + kept);
    }
    try (AnswerFile store = AnswerFile.open(kept);
        Output made = output.get()) {
      TokenBudget budget = budget(store);
      try (Synthesizer synthesizer =
          new Synthesizer(
              task,
              asked,
              store,
              budget,
              endpoint.pace(),
              endpoint.tries(seed),
              endpoint.refusesFailed(),
              outcome -> take(outcome, made, notice))) {
        source.read(document -> accept(synthesizer, budget, document, notice));
        AnswersReport report = AnswersReport.of(synthesizer.finish(), budget);
        made.place();
        return report;
      } catch (UnreachableException e) {
        made.place();
        notice.accept(out + " has what came before");
        throw e;
      } catch (InterruptedException e) {
        throw interrupted(e);
      }
    }
  }

  private TokenBudget budget(AnswerStore store) {
    return new TokenBudget(tokens == null ? TokenBudget.UNLIMITED : tokens, store.spent());
  }

  private void accept(
      Synthesizer synthesizer, TokenBudget budget, Document document, Consumer<String> notice) {
    try {
      synthesizer.accept(new Seed(document.getId(), document.getText()));
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
    long now = System.nanoTime();
    if (told == 0) {
      told = now;
    } else if (now - told > TELLING) {
      told = now;
      notice.accept(AnswersReport.of(synthesizer.tally(), budget).progress());
    }
  }

  private void take(Outcome outcome, Output output, Consumer<String> notice) {
    output.take(outcome);
    if (outcome instanceof Outcome.Refused no && refusals++ < SHOWN) {
      String detail = no.detail().isEmpty() ? "" : ": " + no.detail();
      notice.accept("nothing is made of " + no.seed() + ": " + no.kind() + detail);
    }
  }

  private static IllegalStateException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new IllegalStateException("interrupted", e);
  }
}
