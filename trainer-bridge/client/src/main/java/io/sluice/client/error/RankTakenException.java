package io.sluice.client.error;

import io.sluice.schema.TrainerAttached;
import java.time.Instant;

/** Another process took this one's rank of the run's trainer. */
public final class RankTakenException extends StreamException {
  private static final long serialVersionUID = 1L;

  private final String host;
  private final long pid;

  public RankTakenException(String rank, TrainerAttached holder) {
    super(
        rank
            + " of run "
            + holder.getRunId()
            + " was taken by process "
            + holder.getPid()
            + " on host "
            + holder.getHost()
            + " at "
            + Instant.ofEpochMilli(holder.getTimeMillis())
            + ": stop one of the two, or give each a rank, replica or run of its own");
    this.host = holder.getHost();
    this.pid = holder.getPid();
  }

  /** Host of the process that has the rank now. */
  public String host() {
    return host;
  }

  /** Its process id there. */
  public long pid() {
    return pid;
  }
}
