package io.sluice.jobs.mix.stream;

import org.apache.flink.api.common.typeinfo.TypeInfo;

/** What the source tells the sink of a run's stream, in the order in which it comes to be. */
@TypeInfo(StreamEventTypeInfo.class)
public sealed interface StreamEvent permits StreamRecord, StreamFailure, StreamEnded {
  /** The stream that it is about. */
  StreamTarget target();
}
