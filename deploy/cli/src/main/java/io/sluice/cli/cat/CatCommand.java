package io.sluice.cli.cat;

import io.sluice.cli.error.BadInputException;
import io.sluice.cli.options.GlobalOptions;
import io.sluice.client.GlobalBatch;
import io.sluice.client.RunDirectory;
import io.sluice.client.RunEndedException;
import io.sluice.client.RunInfo;
import io.sluice.client.Sequence;
import io.sluice.client.StreamOptions;
import io.sluice.client.TrainerStream;
import io.sluice.jobs.prepare.DatasetSpecs;
import io.sluice.jobs.prepare.tokenizer.Tokenizer;
import io.sluice.jobs.topics.DatasetCatalog;
import io.sluice.schema.KafkaAccess;
import java.io.PrintWriter;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sluice cat}. */
@Command(
    name = "cat",
    mixinStandardHelpOptions = true,
    description = "Print a run's stream, decoded, one line a sequence.")
public final class CatCommand implements Runnable {
  private static final Duration FIND = Duration.ofSeconds(2);

  private final GlobalOptions global;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--run", required = true, paramLabel = "NAME", description = "The run.")
  private String run = "";

  @Option(
      names = "--from-batch",
      paramLabel = "B",
      defaultValue = "1",
      description = "The first batch. Default: ${DEFAULT-VALUE}.")
  private long fromBatch = 1;

  @Option(
      names = "-n",
      paramLabel = "N",
      defaultValue = "10",
      description = "Sequences; 0 for as many as come. Default: ${DEFAULT-VALUE}.")
  private long count = 10;

  @Option(
      names = "--width",
      paramLabel = "N",
      defaultValue = "80",
      description = "Most characters of text in a line; 0 for all. Default: ${DEFAULT-VALUE}.")
  private int width = 80;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description = "How long to wait for the next batch. Default: ${DEFAULT-VALUE}.")
  private int timeout = 10;

  /** The command with its global options. */
  public CatCommand(GlobalOptions global) {
    this.global = global;
  }

  @Override
  public void run() {
    requireAtLeast("--from-batch", fromBatch, 1);
    requireAtLeast("-n", count, 0);
    requireAtLeast("--width", width, 0);
    requireAtLeast("--timeout", timeout, 1);
    KafkaAccess access = global.access();
    RunInfo info = RunDirectory.find(access, run, FIND);
    String dataset = info.spec().getDataset();
    try (Tokenizer tokenizer = DatasetSpecs.tokenizer(new DatasetCatalog(access).require(dataset));
        TrainerStream stream = TrainerStream.open(access, info, StreamOptions.defaults())) {
      stream.seekToBatch(fromBatch);
      print(stream, new SequenceLine(tokenizer, width));
    }
  }

  private void print(TrainerStream stream, SequenceLine line) {
    PrintWriter out = spec.commandLine().getOut();
    long printed = 0;
    try {
      while (count == 0 || printed < count) {
        GlobalBatch batch = stream.next(Duration.ofSeconds(timeout));
        for (Sequence sequence : batch.sequences()) {
          if (count == 0 || printed < count) {
            out.println(line.of(sequence));
            printed++;
          }
        }
        out.flush();
      }
    } catch (RunEndedException end) {
      out.println(end.getMessage());
      out.flush();
    }
  }

  private static void requireAtLeast(String key, long value, long low) {
    if (value < low) {
      throw new BadInputException(key + " must be at least " + low + ": " + value);
    }
  }
}
