package io.sluice.client.claim;

import io.sluice.client.error.RankTakenException;
import io.sluice.client.run.StreamState;
import io.sluice.client.run.TrainerRank;
import io.sluice.schema.KafkaUnreachableException;
import io.sluice.schema.TrainerAttached;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A process's hold on one rank of a run's trainer. The newest holder in the log has the rank, so a
 * trainer that is restarted after a crash simply takes over, and one that goes on beside it stops.
 * One thread attaches and checks; any may ask whether the rank is held.
 */
public final class RankClaim implements AutoCloseable {
  private final String runId;
  private final TrainerRank rank;
  private final Set<String> metrics;
  private final ClaimLog log;
  private final InstantSource clock;
  private final String holder = UUID.randomUUID().toString();
  private volatile @Nullable TrainerAttached taker;

  /**
   * A claim that is not made yet.
   *
   * @param metrics that this process measures
   */
  public RankClaim(
      String runId, TrainerRank rank, Set<String> metrics, ClaimLog log, InstantSource clock) {
    this.runId = runId;
    this.rank = rank;
    this.metrics = Set.copyOf(metrics);
    this.log = log;
    this.clock = clock;
  }

  /**
   * Takes the rank, or says where its holder goes on.
   *
   * @throws KafkaUnreachableException if no broker takes it in time
   */
  synchronized void attach(StreamState state) {
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
                List.copyOf(metrics),
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
          && other.getRank() == rank.rank()
          && other.getReplica() == rank.replica()
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
      TrainerRank taken =
          new TrainerRank(other.getRank(), other.getWorldSize(), other.getReplica());
      throw new RankTakenException(taken.toString(), other);
    }
  }

  @Override
  public void close() {
    log.close();
  }
}
