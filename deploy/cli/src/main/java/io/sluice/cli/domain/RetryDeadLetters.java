package io.sluice.cli.domain;

import io.sluice.cli.domain.LetterOutcome.Kind;
import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.cli.options.Printable;
import io.sluice.cli.options.TakeOver;
import io.sluice.control.error.CheckFailedException;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.corpus.store.FileStores;
import io.sluice.corpus.store.S3Settings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sluice deadletter retry}. */
@Command(
    name = "retry",
    description = "Read again what was refused of files, and ingest what can be used now, once.")
final class RetryDeadLetters extends CliCommand {
  private static final int SHOWN = 100;

  @Parameters(
      paramLabel = "NUMBER",
      arity = "0..*",
      description = "Numbers of dead letters, as 'deadletter list' has them.")
  private List<Long> numbers = List.of();

  @Option(names = "--domain", paramLabel = "NAME", description = "All of a domain.")
  private String domain = "";

  @Option(names = "--all", description = "All that there are.")
  private boolean all;

  @Option(names = "--dry-run", description = "Say what would be read again, and do nothing.")
  private boolean dryRun;

  @Option(
      names = "--max-document",
      paramLabel = "BYTES",
      description = "The size of the largest document now. Default: what their ingest had.")
  private @Nullable String maxDocument;

  @Mixin private TakeOver takeOver = new TakeOver();

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    if ((numbers.isEmpty() ? 0 : 1) + (domain.isEmpty() ? 0 : 1) + (all ? 1 : 0) != 1) {
      throw misused("one of NUMBER, --domain and --all is needed, and no two");
    }
    OptionalInt largest =
        maxDocument == null
            ? OptionalInt.empty()
            : OptionalInt.of(IngestSettings.limit(maxDocument));
    List<LetterOutcome> outcomes;
    try (FileStores stores = new FileStores(S3Settings.usual(this::notice))) {
      LetterRetries retries = new LetterRetries(access(), stores, largest, takeOver.wanted());
      LetterChoice choice = LetterChoice.read(access(), numbers, domain);
      if (!domain.isEmpty() && choice.isEmpty()) {
        KnownDomain.requireKnown(access(), domain);
      }
      outcomes = dryRun ? retries.tried(choice) : retries.done(choice);
    }
    json.write(outcomes);
    print(lines(outcomes));
    requireDone(outcomes);
  }

  private static List<String> lines(List<LetterOutcome> outcomes) {
    List<String> lines = new ArrayList<>();
    outcomes.stream()
        .limit(SHOWN)
        .forEach(
            each ->
                lines.add(
                    String.format(
                        "%7d  %-10s %s%s",
                        each.number(),
                        each.what().said(),
                        Printable.line(each.place()),
                        each.why().isEmpty() ? "" : ": " + Printable.line(each.why()))));
    if (outcomes.size() > SHOWN) {
      lines.add(outcomes.size() - SHOWN + " more: --json has them");
    }
    Map<Kind, Long> counts =
        outcomes.stream()
            .collect(Collectors.groupingBy(LetterOutcome::what, Collectors.counting()));
    lines.add(
        Arrays.stream(Kind.values())
                .filter(counts::containsKey)
                .map(kind -> counts.get(kind) + " " + kind.said())
                .collect(Collectors.joining(", ", "dead letters: ", ""))
            + (outcomes.isEmpty() ? "none that was not retried" : ""));
    return lines;
  }

  /** What was asked for by its number must have been done. */
  private void requireDone(List<LetterOutcome> outcomes) {
    Function<Kind, Long> count =
        kind -> outcomes.stream().filter(each -> each.what() == kind).count();
    long refused = count.apply(Kind.REFUSED) + (numbers.isEmpty() ? 0 : count.apply(Kind.LEFT));
    if (refused > 0) {
      throw new CheckFailedException(refused + " of the dead letters could not be retried");
    }
  }
}
