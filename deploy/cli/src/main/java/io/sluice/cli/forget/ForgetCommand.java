package io.sluice.cli.forget;

import io.sluice.cli.forget.purge.PurgeReport;
import io.sluice.cli.forget.purge.Purging;
import io.sluice.cli.lineage.LineageRow;
import io.sluice.cli.lineage.Trace;
import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.cli.options.Printable;
import io.sluice.control.domain.CorpusEnds;
import io.sluice.control.error.CheckFailedException;
import io.sluice.control.error.CommandException;
import io.sluice.control.error.UnreachableException;
import io.sluice.control.history.RunFold;
import io.sluice.control.history.RunHistory;
import io.sluice.control.history.RunLogs;
import io.sluice.control.history.RunStart;
import io.sluice.control.line.DocumentName;
import io.sluice.control.masks.DocumentSets;
import io.sluice.control.masks.RunMasks;
import io.sluice.control.purge.Purges;
import io.sluice.control.runs.MaskedRun;
import io.sluice.control.runs.RunCatalog;
import io.sluice.schema.set.DocumentHashes;
import io.sluice.schema.set.DocumentKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sluice forget}. */
@Command(
    name = "forget",
    description = {
      "Forget documents: every run masks them from its first batch on that is not granted yet, and runs"
          + " that are started later from their first. Blocks, held-out ones too, that a dataset makes"
          + " from its next checkpoint on are without them; what is in blocks stays there.",
      "Prints the batches that they were in before, by run. Asked again, it does what is left to do.",
      "With --purge they are also deleted from corpora and blocks."
    })
public final class ForgetCommand extends CliCommand {
  @Parameters(
      index = "0",
      paramLabel = "FILE",
      description =
          "Documents, a line each: domain, a tab and id, or a JSON object with domain and id; - for the"
              + " standard input. At most 1,000,000.")
  private String file = "";

  @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for the log.")
  private String reason = "forgotten by hand";

  @Option(
      names = "--timeout",
      defaultValue = "30",
      paramLabel = "SECONDS",
      description = "How long the log of each run may take to answer. Default: ${DEFAULT-VALUE}.")
  private int timeout = 30;

  @Option(
      names = "--look-up",
      description =
          "Also read the corpora of their domains, and name documents that are in none: ids with a"
              + " typo, or documents that are still to come.")
  private boolean lookUp;

  @Option(
      names = "--purge",
      description =
          "Also delete the documents from the corpora, and from the blocks of every dataset, which"
              + " have padding in their places then. All runs of these datasets must have ended; a"
              + " fork goes on where each was. The service stops preparing the datasets until it is"
              + " done. What was broken off goes on when it is asked again. Dead letters, checkpoints"
              + " of jobs, and files that corpora only name, keep what they have.")
  private boolean purge;

  @Option(
      names = "--jobs-stopped",
      description =
          "With --purge: no service runs, and the jobs that prepare these datasets were stopped"
              + " otherwise. Do not wait until one says so.")
  private boolean jobsStopped;

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    Set<DocumentName> documents = DocumentList.read(file);
    Map<String, Set<String>> ids = new TreeMap<>();
    documents.forEach(
        each -> ids.computeIfAbsent(each.domain(), of -> new HashSet<>()).add(each.id()));
    List<DocumentHashes> sets = DocumentHashes.of(keys(ids));
    int written = new DocumentSets(access()).add(sets, true, reason).size();
    print(
        List.of(
            documents.size()
                + " documents are to be forgotten"
                + (written == 0 ? ", and were before" : "")));
    List<RunStart> runs = runs(ids.keySet());
    List<String> failed = runs.stream().flatMap(run -> mask(run).stream()).toList();
    Trace trace = new Trace(access());
    List<LineageRow> rows = trained(trace, runs, ids);
    Set<String> held = new HashSet<>(held());
    Set<String> corpora = new HashSet<>(new CorpusEnds(access()).domains());
    corpora.removeAll(held);
    corpora.retainAll(ids.keySet());
    held.retainAll(ids.keySet());
    Optional<CorpusLookUp> looked = lookUp(corpora, documents);
    corpora.addAll(held);
    Whereabouts found = Whereabouts.of(documents, rows, trace.inBlocks(), corpora, looked);
    print(rows.stream().map(ForgetCommand::line).map(Printable::line).toList());
    print(found.lines().stream().map(Printable::line).toList());
    if (purge) {
      PurgeReport purged = purge(ids, corpora, sets);
      print(purged.lines());
      json.write(found.with(purged));
      if (purged.left() > 0) {
        throw new CheckFailedException("not everything is purged: ask again");
      }
    } else {
      json.write(found);
    }
    if (!failed.isEmpty()) {
      throw new UnreachableException(
          "not all runs mask them yet, ask again: " + String.join("; ", failed));
    }
  }

  private PurgeReport purge(
      Map<String, Set<String>> ids, Set<String> corpora, List<DocumentHashes> sets) {
    SortedMap<String, Set<String>> documents = new TreeMap<>(ids);
    documents.keySet().retainAll(corpora);
    Duration patience = jobsStopped ? Duration.ZERO : Duration.ofSeconds(timeout);
    try (Purging purging = new Purging(access(), this::notice)) {
      return purging.purge(documents, sets.stream().map(DocumentHashes::name).toList(), patience);
    }
  }

  /** Domains whose corpora are being replaced: one may be away for a moment, or not whole. */
  private Set<String> held() {
    return new Purges(access()).open().map(open -> Set.copyOf(open.getDomains())).orElse(Set.of());
  }

  private Optional<CorpusLookUp> lookUp(Set<String> corpora, Set<DocumentName> documents) {
    return lookUp
        ? Optional.of(
            CorpusLookUp.read(
                access(),
                corpora,
                (domain, id) -> documents.contains(new DocumentName(domain, id))))
        : Optional.empty();
  }

  private static SortedMap<String, Set<DocumentKey>> keys(Map<String, Set<String>> ids) {
    SortedMap<String, Set<DocumentKey>> keys = new TreeMap<>();
    ids.forEach(
        (domain, names) -> {
          Set<DocumentKey> of = new TreeSet<>();
          names.forEach(id -> of.add(DocumentKey.of(domain, id)));
          keys.put(domain, of);
        });
    return keys;
  }

  /** The runs that have one of the domains; a log that contradicts itself is said to. */
  private List<RunStart> runs(Set<String> domains) {
    RunLogs logs = RunLogs.of(access());
    List<RunStart> found = new ArrayList<>();
    for (RunCatalog.Entry entry : RunCatalog.read(access()).entries()) {
      Optional<RunFold> fold = entry.folded(logs).fold();
      if (entry.start().isPresent() && fold.isEmpty()) {
        err().println("sluice: the log of run " + entry.runId() + " cannot be read: passed over");
      } else if (fold.isPresent()
          && fold.get().spec().getDomains().stream().anyMatch(domains::contains)) {
        found.add(entry.start().orElseThrow());
      }
    }
    return found;
  }

  /** Masks in a run what is to be forgotten; why not, if it could not. */
  private Optional<String> mask(RunStart run) {
    try {
      MaskedRun hand = new MaskedRun(access(), Duration.ofSeconds(timeout));
      RunFold fold = hand.maskForgotten(run.runId(), reason);
      print(fold.spec().getMasks().stream().map(mask -> RunMasks.line(run.name(), mask)).toList());
      return Optional.empty();
    } catch (CommandException e) {
      return Optional.of("run " + run.name() + ": " + e.getMessage());
    }
  }

  /** When the documents were in a batch and not masked. */
  private List<LineageRow> trained(Trace trace, List<RunStart> runs, Map<String, Set<String>> ids) {
    List<LineageRow> rows = new ArrayList<>();
    for (RunStart run : runs) {
      rows.addAll(
          trace.ofDocuments(
              RunHistory.read(access(), run), domain -> ids.getOrDefault(domain, Set.of())));
    }
    rows.removeIf(LineageRow::masked);
    return rows;
  }

  private static String line(LineageRow row) {
    return row.line()
        + (row.maskedFrom() > 0 ? ", masked from batch " + row.maskedFrom() + " on" : "");
  }
}
