package io.sluice.control.reach;

import java.util.Map;

/** What came of asking a server for the versions of its API. */
public sealed interface Contact {
  /** The server, as it was named. */
  String server();

  /**
   * Versions of one request that a broker takes.
   *
   * @param least the oldest, at least 0
   * @param most the newest
   */
  record Versions(int least, int most) {}

  /**
   * A broker that has answered.
   *
   * @param versions of each request that it takes, by Kafka's number of the request
   */
  record Answered(String server, Map<Short, Versions> versions) implements Contact {
    /** Copies the versions. */
    public Answered {
      versions = Map.copyOf(versions);
    }
  }

  /** A server that takes connections and has said nothing yet, or is asked over TLS alone. */
  record Connected(String server) implements Contact {}

  /**
   * A server that cannot be reached, or is no broker.
   *
   * @param reason for people
   */
  record Failed(String server, String reason) implements Contact {}
}
