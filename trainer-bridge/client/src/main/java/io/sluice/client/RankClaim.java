package io.sluice.client;

import io.sluice.schema.TrainerAttached;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A process's hold on one rank of a run's trainer. The newest holder in the log has the rank, so a
 * trainer that is restarted after a crash simply takes over, and one that goes on beside it stops.
 * One thread attaches and checks; any may ask whether the rank is held.
 */
final class RankClaim implements AutoCloseable {
  private final String runId;
  private final StreamOptions options;
  private final ClaimLog log;
  private final InstantSource clock;
  private final String holder = UUID.randomUUID().toString();
  private volatile @Nullable TrainerAttached taker;

  RankClaim(String runId, StreamOptions options, ClaimLog log, InstantSource clock) {
    this.runId = runId;
    this.options = options;
    this.log = log;
    this.clock = clock;
  }

  /**
   * Takes the rank, or says where its holder goes on.
   *
   * @throws KafkaUnreachableException if no broker takes it in time
   */
  synchronized void attach(StreamState state) {
    TrainerRank rank = options.rank();
    log.publish(
        WireCodec.encode(
            new TrainerAttached(
                runId,
                state.timeline(),
                state.batch(),
                rank.worldSize(),
                rank.rank(),
                rank.replica(),
                holder,
                host(),
                ProcessHandle.current().pid(),
                List.copyOf(options.metrics()),
                clock.millis())));
  }

  private static String host() {
    String named = System.getenv("HOSTNAME");
    if (named != null && !named.isBlank()) {
      return named;
    }
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }

  /** Reads on, and notices another holder. */
  synchronized void check() {
    log.readOn(this::take);
  }

  private void take(byte[] message) {
    try {
      if (WireCodec.decode(message) instanceof TrainerAttached other
          && other.getRunId().equals(runId)
          && other.getRank() == options.rank().rank()
          && other.getReplica() == options.rank().replica()
          && !other.getHolder().equals(holder)) {
        taker = other;
      }
    } catch (WireFormatException e) {
      // Nobody's claim.
    }
  }

  /**
   * Fails once another process has the rank.
   *
   * @throws RankTakenException then
   */
  void requireHeld() {
    TrainerAttached other = taker;
    if (other != null) {
      throw new RankTakenException(other);
    }
  }

  @Override
  public void close() {
    log.close();
  }
}
