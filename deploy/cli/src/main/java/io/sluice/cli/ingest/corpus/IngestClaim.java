package io.sluice.cli.ingest.corpus;

import io.sluice.control.error.BadInputException;
import io.sluice.schema.IngestProgress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * Who ingests files into a domain. There is one at a time: two would not know of each other's
 * files.
 *
 * @param attempt name of the ingest
 * @param host name of its machine
 * @param process its process's number there
 * @param started when that began; the epoch if nobody knows
 */
record IngestClaim(String attempt, String host, long process, Instant started) {
  /** A machine tells the start of a process from a clock that may be set meanwhile. */
  private static final Duration SAME_START = Duration.ofSeconds(10);

  /** A new ingest of this process. */
  static IngestClaim create() {
    ProcessHandle self = ProcessHandle.current();
    return new IngestClaim(UUID.randomUUID().toString(), hostName(), self.pid(), start(self));
  }

  /**
   * Checks that nobody else ingests.
   *
   * @param latest what was said last of a domain
   * @param takeOver believe that whoever works on another machine has ended
   * @throws BadInputException if somebody does, or may
   */
  void requireFree(Optional<IngestProgress> latest, boolean takeOver) {
    latest
        .filter(other -> !takeOver && mayLive(other))
        .ifPresent(
            other -> {
              throw underWay(other);
            });
  }

  /** Another ingest is under way, and this one cannot go on. */
  static BadInputException underWay(IngestProgress other) {
    return new BadInputException(
        "domain '"
            + other.getDomain()
            + "' takes files from one ingest at a time: process "
            + other.getProcess()
            + " on "
            + other.getHost()
            + " is at it. Wait for its end; where it has ended without saying so,"
            + " --take-over goes on behind it");
  }

  /** Whether something that was said is of this ingest. */
  boolean says(IngestProgress progress) {
    return progress.getAttempt().equals(attempt);
  }

  /** What this ingest says of a domain while it works. */
  IngestProgress progress(String domain, String corpus, long start, long referred, String folder) {
    return new IngestProgress(
        domain,
        corpus,
        true,
        start,
        folder,
        attempt,
        host,
        process,
        started.toEpochMilli(),
        referred);
  }

  private boolean mayLive(IngestProgress other) {
    if (!other.getOpen() || other.getAttempt().isEmpty()) {
      return false;
    }
    if (!other.getHost().equals(host)) {
      return true;
    }
    Instant begun = Instant.ofEpochMilli(other.getStarted());
    return ProcessHandle.of(other.getProcess())
        .map(IngestClaim::start)
        .filter(start -> Duration.between(start, begun).abs().compareTo(SAME_START) < 0)
        .isPresent();
  }

  private static Instant start(ProcessHandle process) {
    return process.info().startInstant().orElse(Instant.EPOCH);
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "a machine without a name";
    }
  }
}
