package io.sluice.refine.synthesis;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** What became of a seed. */
public sealed interface Outcome {
  /** The seed's id. */
  String seed();

  /**
   * A document of questions and answers.
   *
   * @param id the same for equal requests, and for those alone
   * @param properties where it comes from, by {@link Provenance}
   */
  record Made(String seed, String id, String text, Map<String, String> properties)
      implements Outcome {
    /** Sorts the properties. */
    public Made {
      properties = Collections.unmodifiableMap(new TreeMap<>(properties));
    }
  }

  /**
   * No document.
   *
   * @param kind one of a few, to be counted by
   * @param detail more of it, or nothing
   */
  record Refused(String seed, String kind, String detail) implements Outcome {
    /** Because the endpoint will not answer. */
    public static Refused byEndpoint(String seed, Reply.Settled reply) {
      String reason = reply instanceof Reply.Refused refused ? refused.reason() : "";
      return new Refused(seed, "refused by the endpoint", reason);
    }
  }
}
