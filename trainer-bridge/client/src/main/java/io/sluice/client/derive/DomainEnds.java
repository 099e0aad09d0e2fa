package io.sluice.client.derive;

import java.util.OptionalLong;

/** How many blocks the domains have that have ended, and whether these were ever shuffled. */
public interface DomainEnds {
  /** Blocks of a lane's part of a domain; empty while it may still grow. */
  OptionalLong blocks(String domain, int lane);

  /** Whether they are in place: in files of others, which nobody has shuffled. */
  boolean isInPlace(String domain, int lane);
}
