package io.sluice.jobs.prepare.log;

/**
 * What was decided in a domain by what its documents do not tell, and is so for whoever packs them
 * again. Each of the numbers is asked for in its turn, so nobody shares them.
 *
 * @param releases after how many documents the shuffle buffer let all its documents go by time
 * @param refusedRanges which records of the corpus are ranges of files that could not be read, by
 *     the number of records up to each, itself included
 * @param forgotten from where on which documents are forgotten
 */
public record Decisions(
    AscendingNumbers releases, AscendingNumbers refusedRanges, Forgettings forgotten) {
  /** Nothing was decided. */
  public static Decisions none() {
    return new Decisions(new AscendingNumbers(), new AscendingNumbers(), new Forgettings());
  }
}
