package io.sluice.cli.doctor;

import java.util.List;
import java.util.concurrent.ExecutionException;

/** One thing that is looked at, without changing anything. */
interface Check {
  /** What is looked at, in a word or two. */
  String name();

  /**
   * Looks at it.
   *
   * @return at least one finding
   * @throws ExecutionException if brokers do not answer or refuse; its cause says why
   */
  List<Finding> look() throws ExecutionException, InterruptedException;
}
