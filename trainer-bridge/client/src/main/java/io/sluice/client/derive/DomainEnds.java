package io.sluice.client.derive;

import java.util.OptionalLong;

/** How many blocks the domains have that have ended. */
public interface DomainEnds {
  /** Blocks of a lane's part of a domain; empty while it may still grow. */
  OptionalLong blocks(String domain, int lane);
}
