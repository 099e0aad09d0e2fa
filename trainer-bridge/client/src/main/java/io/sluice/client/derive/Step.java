package io.sluice.client.derive;

/** What a control log says of the batches behind one. */
sealed interface Step permits Turn, Granted {
  /** Whether all of it is taken back by a timeline that is opened after a batch. */
  boolean isAfter(long batch);

  /** What such a timeline leaves of it. */
  Step until(long batch);
}
