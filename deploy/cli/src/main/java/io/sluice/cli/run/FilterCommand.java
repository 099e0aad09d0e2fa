package io.sluice.cli.run;

import io.sluice.cli.options.JsonFile;
import io.sluice.control.error.BadInputException;
import io.sluice.control.history.RunFold;
import io.sluice.control.masks.DocumentPredicate;
import io.sluice.control.masks.DocumentSets;
import io.sluice.control.masks.MeantDocuments;
import io.sluice.control.masks.RunMasks;
import io.sluice.control.runs.MaskedRun;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.corpus.range.SourceRoots;
import io.sluice.jobs.prepare.read.ReferredDocuments;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.DocumentMask;
import io.sluice.schema.RunSpec;
import io.sluice.schema.run.DocumentMasks;
import io.sluice.schema.set.DocumentHashes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice run filter}. */
@Command(
    name = "filter",
    description = {
      "Mask the documents that a predicate means, from a batch on: no label of theirs is trained.",
      "They are those of the run's domains that the corpora have when the command is given; for what comes"
          + " later, give it again."
    })
final class FilterCommand extends RunChangeCommand {
  @Option(
      names = "--where",
      required = true,
      paramLabel = "PREDICATE",
      description =
          "Conditions joined by 'and', of id, origin or a property: = and != compare texts, or numbers if the"
              + " value is one; < <= > >= numbers. What is missing meets none.")
  private String where = "";

  @Option(
      names = "--from-batch",
      paramLabel = "B",
      description = "The first batch, which is not granted yet. Default: the first such batch.")
  private long from = DocumentMasks.NEXT;

  @Option(
      names = "--source-root",
      paramLabel = "DIR",
      description =
          "A folder, or s3://BUCKET/FOLDER, below which files are read that the corpora name in place"
              + " of documents, as 'up' has it; may be given several times. Default: none.")
  private List<String> sourceRoots = List.of();

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    DocumentPredicate predicate = predicate();
    if (from < DocumentMasks.NEXT) {
      throw new BadInputException("--from-batch must be at least 1: " + from);
    }
    RunFold fold = live();
    requireNotGranted(fold);
    List<String> domains = new ArrayList<>(fold.spec().getDomains());
    domains.removeAll(fold.spec().getRemoved());
    MeantDocuments meant = meant(fold.spec(), domains, predicate);
    if (meant.found() == 0) {
      throw new BadInputException(
          "--where must mean a document: of %d none meets '%s'".formatted(meant.seen(), where));
    }
    print(
        List.of(
            "%d of %d documents are meant: %s"
                .formatted(meant.found(), meant.seen(), meant.byDomain())));
    List<DocumentHashes> sets = meant.sets();
    new DocumentSets(access()).add(sets, false, where);
    List<DocumentMask> masks = RunMasks.masks(sets, from, where);
    RunFold masked = masked(fold, masks);
    Set<String> names = sets.stream().map(DocumentHashes::name).collect(Collectors.toSet());
    List<DocumentMask> made =
        masked.spec().getMasks().stream().filter(mask -> names.contains(mask.getSet())).toList();
    json.write(
        new Filtered(
            run,
            where,
            meant.seen(),
            meant.byDomain(),
            made.stream()
                .map(mask -> new Mask(mask.getSet(), mask.getFromBatch(), mask.getDocuments()))
                .toList()));
    print(made.stream().map(mask -> RunMasks.line(run, mask)).toList());
  }

  /**
   * What was masked.
   *
   * @param seen documents that were looked at
   * @param documents that are meant, by domain
   */
  private record Filtered(
      String run, String where, long seen, Map<String, Integer> documents, List<Mask> masks) {}

  /** A set of them, masked from a batch on. */
  private record Mask(String set, long fromBatch, int documents) {}

  private RunFold masked(RunFold fold, List<DocumentMask> masks) {
    try {
      return new MaskedRun(access(), Duration.ofSeconds(timeout))
          .mask(fold.runId(), spec -> lacking(spec, masks), "filtered by hand: where " + where);
    } catch (BadInputException e) {
      requireNotGranted(live());
      throw e;
    }
  }

  /** The run refuses it, too, but knows no option. */
  private void requireNotGranted(RunFold fold) {
    long granted = fold.state().position().granted();
    if (from != DocumentMasks.NEXT && from <= granted) {
      throw new BadInputException(
          "--from-batch must be at least %d, the first batch of run %s that is not granted: %d"
              .formatted(granted + 1, run, from));
    }
  }

  private MeantDocuments meant(RunSpec spec, List<String> domains, DocumentPredicate predicate) {
    DatasetSpec dataset = new DatasetCatalog(access()).require(spec.getDataset());
    try (ReferredDocuments referred =
        ReferredDocuments.open(access(), dataset, SourceRoots.named(sourceRoots))) {
      return MeantDocuments.read(access(), domains, predicate, referred::read);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<DocumentMask> lacking(RunSpec spec, List<DocumentMask> masks) {
    Set<String> there = DocumentMasks.bySet(spec).keySet();
    return masks.stream().filter(mask -> !there.contains(mask.getSet())).toList();
  }

  private DocumentPredicate predicate() {
    try {
      return DocumentPredicate.parse(where);
    } catch (IllegalArgumentException e) {
      throw new BadInputException(String.valueOf(e.getMessage()), e);
    }
  }
}
