package io.sluice.cli.lineage;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.cli.options.Printable;
import io.sluice.control.error.BadInputException;
import io.sluice.control.history.RunHistory;
import io.sluice.control.history.RunLogs;
import io.sluice.control.history.RunStart;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice lineage}. */
@Command(
    name = "lineage",
    description =
        "Say which batches of which runs documents were in, or which documents were in some batches,"
            + " from the control logs and what is known of the blocks. Reads all lineage of the dataset, or"
            + " all of its blocks where these have the ids.")
public final class LineageCommand extends CliCommand {
  private static final Pattern BATCHES = Pattern.compile("([1-9]\\d{0,17})(?:\\.\\.(\\d{1,18}))?");
  private static final int MOST_DOCUMENTS = 1_000_000;

  @Option(
      names = "--run",
      paramLabel = "NAME",
      description = "A run; may be repeated. Default: every run.")
  private List<String> runs = new ArrayList<>();

  @Option(
      names = "--document",
      paramLabel = "ID",
      description = "The id of a document; may be repeated.")
  private List<String> documents = new ArrayList<>();

  @Option(
      names = "--documents",
      paramLabel = "FILE",
      description = "A file of ids, one a line, at most 1,000,000.")
  private @Nullable Path file;

  @Option(
      names = "--batch",
      paramLabel = "B",
      description = "A batch of the one run that is named, or the batches B..C.")
  private @Nullable String batches;

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    Set<String> asked = new LinkedHashSet<>(documents);
    asked.addAll(file == null ? List.of() : idsIn(file));
    if (asked.isEmpty() == (batches == null)) {
      throw misused("give documents, by --document or --documents, or batches, by --batch");
    }
    List<LineageRow> rows = batches == null ? ofDocuments(asked) : ofBatches(batches);
    json.write(rows);
    print(rows.stream().map(LineageRow::line).map(Printable::line).toList());
    Set<String> found = new LinkedHashSet<>(rows.stream().map(LineageRow::document).toList());
    print(List.of(found.size() + " documents, " + rows.size() + " times in a batch"));
    asked.removeAll(found);
    if (!asked.isEmpty()) {
      print(List.of("in no batch: " + Printable.line(String.join(", ", asked))));
    }
  }

  private List<LineageRow> ofDocuments(Set<String> asked) {
    Trace trace = new Trace(access());
    List<LineageRow> rows = new ArrayList<>();
    for (RunStart start : starts()) {
      rows.addAll(trace.ofDocuments(RunHistory.read(access(), start), domain -> asked));
    }
    return rows;
  }

  private List<LineageRow> ofBatches(String given) {
    Matcher range = BATCHES.matcher(given);
    if (!range.matches()) {
      throw new BadInputException("--batch must be B or B..C with B at least 1: '" + given + "'");
    }
    if (runs.size() != 1) {
      throw misused("--batch needs one --run: " + runs);
    }
    RunHistory run = RunHistory.read(access(), runs.get(0));
    long first = Long.parseLong(range.group(1));
    long last = range.group(2) == null ? first : Long.parseLong(range.group(2));
    long granted = run.state().position().granted();
    if (last < first || last > granted) {
      throw new BadInputException(
          "--batch must end in [%d, %d] for run %s: '%s'"
              .formatted(first, granted, run.name(), given));
    }
    return new Trace(access()).ofBatches(run, first, last);
  }

  /** The runs that are asked for; of all there are, the newest of each name. */
  private List<RunStart> starts() {
    RunLogs logs = RunLogs.of(access());
    if (!runs.isEmpty()) {
      return runs.stream().distinct().map(logs::require).toList();
    }
    Map<String, RunStart> newest = new LinkedHashMap<>();
    logs.starts().forEach(start -> newest.put(start.name(), start));
    return List.copyOf(newest.values());
  }

  private static List<String> idsIn(Path file) {
    try (Stream<String> lines = Files.lines(file)) {
      List<String> ids = lines.filter(id -> !id.isEmpty()).limit(MOST_DOCUMENTS + 1L).toList();
      if (ids.isEmpty() || ids.size() > MOST_DOCUMENTS) {
        throw new BadInputException(
            "--documents must have 1 to " + MOST_DOCUMENTS + " ids, one a line: " + file);
      }
      return ids;
    } catch (IOException | UncheckedIOException e) {
      throw new BadInputException(
          "--documents must be a file of UTF-8 text: " + file + ": " + e, e);
    }
  }
}
