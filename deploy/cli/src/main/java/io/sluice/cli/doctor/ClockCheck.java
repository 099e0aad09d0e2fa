package io.sluice.cli.doctor;

import io.sluice.control.config.Durations;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.QuorumInfo;

/** Whether this machine's clock says what that of the brokers' controller does. */
record ClockCheck(Brokers brokers, InstantSource clock) implements Check {
  private static final Duration NOTED = Duration.ofSeconds(10);

  /** Kafka's own {@code message.timestamp.after.max.ms}. */
  private static final Duration REFUSED = Duration.ofHours(1);

  private static final String HELP = "let both follow a time server";

  @Override
  public String name() {
    return "clocks";
  }

  @Override
  public List<Finding> look() throws ExecutionException, InterruptedException {
    long before = clock.millis();
    QuorumInfo quorum = brokers.admin().describeMetadataQuorum().quorumInfo().get();
    long after = clock.millis();
    // Of itself the leader says that it has caught up now.
    OptionalLong leader =
        quorum.voters().stream()
            .filter(voter -> voter.replicaId() == quorum.leaderId())
            .map(QuorumInfo.ReplicaState::lastCaughtUpTimestamp)
            .findFirst()
            .orElse(OptionalLong.empty());
    return List.of(
        leader.isEmpty()
            ? Finding.skipped(name(), "the brokers' controller does not tell its time")
            : of(before, after, leader.getAsLong()));
  }

  /**
   * What is said of a time that came between two of this machine.
   *
   * @param theirs in milliseconds, as the two are
   */
  Finding of(long before, long after, long theirs) {
    long ahead = theirs < before ? before - theirs : Math.min(0, after - theirs);
    Duration apart = Duration.ofMillis(Math.abs(ahead));
    if (apart.compareTo(NOTED) < 0) {
      return Finding.ok(
          name(), "this machine's and the controller's are within " + Durations.format(NOTED));
    }
    String found =
        "this machine is %s %s the brokers' controller"
            .formatted(Durations.passed(apart), ahead > 0 ? "ahead of" : "behind");
    return ahead >= REFUSED.toMillis()
        ? Finding.failure(name(), found + ", and brokers refuse records from the future", HELP)
        : Finding.warning(name(), found + ": ages are wrong by that", HELP);
  }
}
