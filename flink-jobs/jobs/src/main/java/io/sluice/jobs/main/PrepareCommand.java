package io.sluice.jobs.main;

import io.sluice.control.topics.DatasetCatalog;
import io.sluice.corpus.range.SourceRoots;
import io.sluice.jobs.heap.HeapShare;
import io.sluice.jobs.prepare.PrepareJob;
import io.sluice.jobs.prepare.read.ReadCorpusFactory;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.segment.InPlace;
import java.io.File;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code prepare}. */
@Command(
    name = "prepare",
    description = "The job that turns a dataset's documents into blocks, once for every run.")
final class PrepareCommand extends JobCommand {
  /** The separator of folders, which is in s3://, too. */
  private static final Pattern SEPARATOR =
      Pattern.compile(Pattern.quote(File.pathSeparator) + "(?!//)");

  @Option(
      names = "--dataset",
      required = true,
      paramLabel = "NAME",
      description = "Dataset, by 'sluice dataset apply'.")
  private String dataset = "";

  @Option(
      names = "--threads",
      paramLabel = "N",
      description =
          "Threads of each task that make tokens of texts. Default: as many as its process has"
              + " processors.")
  private int threads = ReadCorpusFactory.ALL_PROCESSORS;

  @Option(
      names = "--source-roots",
      paramLabel = "DIR[:DIR…]",
      description =
          "Folders and buckets below which files are read that a corpus names; every task's machine"
              + " has them. Default: none.")
  private String roots = "";

  @Override
  Job job(KafkaAccess kafka) {
    KafkaOptions.requireOwner(kafka);
    DatasetSpec spec = new DatasetCatalog(kafka).require(dataset);
    SourceRoots read =
        SourceRoots.named(
            Stream.of(SEPARATOR.split(roots, -1)).filter(folder -> !folder.isEmpty()).toList());
    HeapShare heap = heapShare().orElse(PrepareJob.HEAP);
    return new Job(
        "sluice prepare " + dataset,
        PrepareJob.checkpointInterval(spec),
        admin -> admin.ensureDataset(spec),
        env -> PrepareJob.build(env, timed(kafka), InPlace.without(spec), threads, read, heap));
  }
}
