package io.sluice.service.seal;

/** Where people see why blocks are not put into a dataset's store. */
interface SealNotices {
  /** They are not, and why. */
  void waits(String dataset, String why);

  /** They are. */
  void flows(String dataset);
}
