package io.sluice.cli.cat;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.client.block.Sequence;
import io.sluice.client.error.RunEndedException;
import io.sluice.client.run.RunDirectory;
import io.sluice.client.run.RunInfo;
import io.sluice.client.stream.GlobalBatch;
import io.sluice.client.stream.Loader;
import io.sluice.client.stream.StreamOptions;
import io.sluice.control.error.BadInputException;
import io.sluice.schema.KafkaAccess;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice cat}. */
@Command(name = "cat", description = "Print a run's stream, decoded, one line a sequence.")
public final class CatCommand extends CliCommand {
  private static final Duration FIND = Duration.ofSeconds(2);

  @Option(names = "--run", required = true, paramLabel = "NAME", description = "The run.")
  private String run = "";

  @Option(
      names = "--from-batch",
      paramLabel = "B",
      description = "The first batch. Default: the run's first.")
  private @Nullable Long fromBatch;

  @Option(
      names = "-n",
      paramLabel = "N",
      description = "Sequences; 0 for as many as come. Default: ${DEFAULT-VALUE}.")
  private long count = 10;

  @Option(
      names = "--width",
      paramLabel = "N",
      description = "Most characters of text in a line; 0 for all. Default: ${DEFAULT-VALUE}.")
  private int width = 80;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "How long to wait for the next batch. Default: ${DEFAULT-VALUE}.")
  private int timeout = 10;

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    if (fromBatch != null) {
      requireAtLeast("--from-batch", fromBatch, 1);
    }
    requireAtLeast("-n", count, 0);
    requireAtLeast("--width", width, 0);
    requireAtLeast("--timeout", timeout, 1);
    if (count == 0 && json.isAsked()) {
      throw new BadInputException("-n must be at least 1 with --json, which is one report: 0");
    }
    KafkaAccess access = access();
    RunInfo info = RunDirectory.find(access, run, FIND);
    SequenceText text = SequenceText.of(access, info.spec().getDataset(), width, this::tell);
    try (text;
        Loader stream = Loader.open(access, info, StreamOptions.defaults().observing())) {
      if (fromBatch != null) {
        stream.seekToBatch(fromBatch);
      }
      print(stream, text);
    }
  }

  private void tell(String reason) {
    err().println("tokens are shown as ids: " + reason);
    err().flush();
  }

  private void print(Loader stream, SequenceText text) {
    PrintWriter out = out();
    Chapters chapters = new Chapters();
    List<SequenceText.Row> rows = new ArrayList<>();
    long printed = 0;
    try {
      while (count == 0 || printed < count) {
        GlobalBatch batch = stream.next(Duration.ofSeconds(timeout));
        chapters
            .before(batch.timeline(), batch.batch(), stream.runAt(batch.batch()).spec())
            .ifPresent(out::println);
        for (Sequence sequence : batch.sequences()) {
          if (count == 0 || printed < count) {
            SequenceText.Row row = text.row(sequence);
            out.println(row.line());
            printed++;
            if (json.isAsked()) {
              rows.add(row);
            }
          }
        }
        out.flush();
      }
    } catch (RunEndedException end) {
      out.println(end.getMessage());
      out.flush();
    }
    json.write(rows);
  }

  private static void requireAtLeast(String key, long value, long low) {
    if (value < low) {
      throw new BadInputException(key + " must be at least " + low + ": " + value);
    }
  }
}
