package io.sluice.jobs.mix.source;

import java.util.List;
import org.apache.flink.api.connector.source.SourceEvent;

/** What a reader tells the enumerator. */
sealed interface ReaderEvent extends SourceEvent {
  /** The reader has started with these splits. */
  record Owns(List<String> splitIds) implements ReaderEvent {
    public Owns {
      splitIds = List.copyOf(splitIds);
    }
  }

  /** A split has nothing left to emit. */
  record Ended(String splitId) implements ReaderEvent {}

  /** A split that has ended is let go of: all that it wrote is there to stay. */
  record Flushed(String splitId) implements ReaderEvent {}
}
