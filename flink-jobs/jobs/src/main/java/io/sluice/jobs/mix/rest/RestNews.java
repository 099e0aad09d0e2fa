package io.sluice.jobs.mix.rest;

import java.util.List;
import java.util.Set;
import org.apache.flink.api.connector.source.SourceEvent;

/** What readers and the enumerator tell each other of runs that rest, and of what is gone. */
public sealed interface RestNews extends SourceEvent {
  /** A reader has started: it reads nothing before it is told who rests. */
  record Asked() implements RestNews {}

  /**
   * To a reader: these runs rest.
   *
   * @param all whether no others do
   */
  record Told(List<RestingRun> runs, boolean all) implements RestNews {
    public Told {
      runs = List.copyOf(runs);
    }
  }

  /** To the enumerator: somebody asks something of a run that rests. */
  record Called(String runId) implements RestNews {}

  /** To a reader: these topics, which there were, are not there any more. */
  record Gone(Set<String> topics) implements RestNews {
    public Gone {
      topics = Set.copyOf(topics);
    }
  }

  /** To a reader: these runs rest no more. */
  record Woken(Set<String> runIds) implements RestNews {
    public Woken {
      runIds = Set.copyOf(runIds);
    }
  }
}
