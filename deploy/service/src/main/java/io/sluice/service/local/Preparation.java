package io.sluice.service.local;

import io.sluice.corpus.range.SourceRoots;
import io.sluice.jobs.prepare.read.ReadCorpusFactory;

/**
 * With how much of the machines each dataset is prepared. What is prepared is the same whatever
 * stands here.
 *
 * @param parallelism tasks of each step of a dataset's job, from 1 to {@value #MOST_PARALLELISM};
 *     domains are dealt among them
 * @param threads of each reading task that make tokens, from 1 to {@value #MOST_THREADS}, or {@link
 *     ReadCorpusFactory#ALL_PROCESSORS}
 * @param roots below which files are read that a corpus names
 */
public record Preparation(int parallelism, int threads, SourceRoots roots) {
  private static final int MOST_THREADS = 1_024;

  /** Checks the ranges. */
  public Preparation {
    if (parallelism < 1) {
      throw new IllegalArgumentException(
          "parallelism of preparing must be at least 1: " + parallelism);
    }
    requireThreads(threads);
  }

  static void requireThreads(int threads) {
    if (threads != ReadCorpusFactory.ALL_PROCESSORS && (threads < 1 || threads > MOST_THREADS)) {
      throw new IllegalArgumentException(
          "threads of preparing must be from 1 to " + MOST_THREADS + ": " + threads);
    }
  }
}
