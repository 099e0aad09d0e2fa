package io.sluice.cli.plan.need;

import io.sluice.cli.plan.need.Quotas.Quota;
import io.sluice.control.rights.Right;
import java.util.List;

/**
 * A user of Kafka that is needed.
 *
 * @param user what it may be called
 * @param role what it does, for people
 * @param command of {@code sluice} that gives it its rights
 * @param rights all that it needs
 */
public record PlannedUser(
    String user, String role, String command, List<Right> rights, Quota quota) {
  /** Copies the lists. */
  public PlannedUser {
    rights = List.copyOf(rights);
  }
}
