package io.sluice.cli.plan.need;

import io.sluice.jobs.mix.fetch.FetchMemory;
import io.sluice.jobs.mix.source.MixtureSourceSettings;
import io.sluice.schema.RunSpec;
import io.sluice.schema.run.Delivery;

/**
 * What a run takes of the heap of the mix job's task managers. All runs of a process share the part
 * of its heap that blocks may take: with less than the least a run waits for its turn, and more
 * than the most is of no use to it.
 *
 * @param splits that the job reads for it: one a lane; none of a run without a stream
 * @param least bytes of blocks, all splits together
 * @param most the same
 * @param leastHeap of a process that has this run alone, for the least
 * @param mostHeap the same, for the most
 */
public record MixMemory(int splits, long least, long most, long leastHeap, long mostHeap) {
  /** What a run takes, as the job is set up where nobody says otherwise. */
  public static MixMemory of(RunSpec run) {
    int splits = Delivery.isDerived(run) ? 0 : run.getLanes();
    int domains = run.getDomains().size();
    long least = splits * FetchMemory.cost(domains, FetchMemory.LEAST);
    long most = splits * FetchMemory.cost(domains, MixtureSourceSettings.defaults().fetchBytes());
    return new MixMemory(splits, least, most, heap(least), heap(most));
  }

  /** A heap of which blocks may take so many bytes. */
  private static long heap(long bytes) {
    return (long) Math.ceil(bytes / MixtureSourceSettings.HEAP_SHARE);
  }
}
