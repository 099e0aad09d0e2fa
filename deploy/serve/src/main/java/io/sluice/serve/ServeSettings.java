package io.sluice.serve;

import io.sluice.schema.KafkaAccess;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;

/**
 * What is served, and where.
 *
 * @param host address to listen on
 * @param port 0 for any free one
 * @param hostNames by which pages may call it, besides localhost and addresses
 * @param token that lets runs be changed; empty if nothing does
 * @param version of the software
 */
public record ServeSettings(
    KafkaAccess kafka,
    String host,
    int port,
    Set<String> hostNames,
    Optional<String> token,
    String version,
    InstantSource clock) {
  /** Copies the names. */
  public ServeSettings {
    hostNames = Set.copyOf(hostNames);
  }
}
