package io.sluice.cli.refine;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.control.domain.CorpusEnds;
import io.sluice.control.refine.RefineLog;
import io.sluice.jobs.refine.answer.AnswerTopic;
import io.sluice.refine.step.StepNames;
import io.sluice.refine.step.StepSettings;
import io.sluice.refine.synthesis.TokenBudget;
import io.sluice.refine.synthesis.live.SynthesisStep;
import io.sluice.schema.DroppedDocument;
import io.sluice.schema.RefineProgress;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.RefineStep;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows a published refinery, and what became of every document of its inputs. */
@Command(
    name = "show",
    description = "Show a published refinery, and what became of the documents of its inputs.")
final class ShowRefinery extends CliCommand {
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final int MOST_SHOWN = 10_000;

  @Parameters(paramLabel = "NAME", description = "Name of the refinery.")
  private String name = "";

  @Option(
      names = "--dropped",
      paramLabel = "N",
      description =
          "Also list the last N documents that were left out, with their twins. Default: 0.")
  private int dropped;

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    if (dropped < 0 || dropped > MOST_SHOWN) {
      throw misused("--dropped must be from 0 to " + MOST_SHOWN + ": " + dropped);
    }
    RefineSpec spec = RefineCommand.published(access()).require(name);
    RefineLog log = new RefineLog(access(), name);
    Optional<RefineProgress> progress = log.progress(PATIENCE);
    List<DroppedDocument> last = last(log);
    print(RefineView.lines(spec));
    print(RefineView.lines(spec, progress, new CorpusEnds(access()).of(spec.getInputs())));
    StepSettings.find(spec, StepNames.SYNTHESIZE).ifPresent(step -> out().println(spent(step)));
    last.forEach(each -> out().println(RefineView.line(each)));
    Map<String, Object> report = RefineView.of(spec);
    report.putAll(RefineView.of(progress));
    report.put("dropped", last.stream().map(RefineView::of).toList());
    json.write(report);
  }

  private String spent(RefineStep step) {
    AnswerTopic.Spent spent = AnswerTopic.Spent.of(access(), access().topics().answers(name));
    SynthesisStep settings = new SynthesisStep(step);
    long budget = settings.budget();
    boolean limited = budget != TokenBudget.UNLIMITED;
    String said =
        String.format(
            Locale.ROOT,
            "%s: %,d answers, %,d%s tokens spent",
            StepNames.SYNTHESIZE,
            spent.answers(),
            spent.tokens(),
            limited ? String.format(Locale.ROOT, " of %,d", budget) : "");
    if (spent.reserved() > 0) {
      said +=
          String.format(
              Locale.ROOT,
              ", %,d of them reserved by requests that are under way, or were when a job was killed",
              spent.reserved());
    }
    return limited && budget - spent.tokens() < settings.mostTokens()
        ? said
            + "; fewer are left than a request may take: it waits, or soon will, until the file is"
            + " applied with a larger budget-tokens"
        : said;
  }

  private List<DroppedDocument> last(RefineLog log) {
    if (dropped == 0) {
      return List.of();
    }
    ArrayDeque<DroppedDocument> last = new ArrayDeque<>();
    log.read(
        PATIENCE,
        said -> {
          if (said instanceof DroppedDocument document) {
            last.add(document);
            if (last.size() > dropped) {
              last.remove();
            }
          }
        });
    return List.copyOf(last);
  }
}
