package io.sluice.jobs.main;

import io.sluice.control.refine.Refineries;
import io.sluice.jobs.heap.HeapShare;
import io.sluice.jobs.refine.RefineJob;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RefineSpec;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code refine}. */
@Command(name = "refine", description = "The job that makes domains of documents.")
final class RefineCommand extends JobCommand {
  @Option(
      names = "--refinery",
      required = true,
      paramLabel = "NAME",
      description = "Refinery, by 'sluice refine apply'; every task's machine has its models.")
  private String refinery = "";

  @Option(
      names = "--threads",
      paramLabel = "N",
      description =
          "Threads of each task that examine texts. Default: as many as its process has"
              + " processors.")
  private int threads;

  @Override
  Job job(KafkaAccess kafka) {
    KafkaOptions.requireOwner(kafka);
    RefineSpec spec = new Refineries(kafka).require(refinery);
    HeapShare heap = heapShare().orElse(RefineJob.HEAP);
    return new Job(
        "sluice refine " + refinery,
        RefineJob.checkpointInterval(spec),
        admin -> admin.ensureRefinery(spec),
        env -> RefineJob.build(env, timed(kafka), spec, threads, heap));
  }
}
