package io.sluice.control.history;

import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunStatus;
import java.util.LinkedHashMap;
import java.util.Map;

/** Where each run stands, as MixJob last said. */
public final class StatusHistory {
  private StatusHistory() {}

  /** The newest status of each run, by run id, in the order in which runs first appeared. */
  public static Map<String, RunStatus> newest(KafkaAccess access) {
    Map<String, RunStatus> newest = new LinkedHashMap<>();
    new TopicScan(access)
        .read(
            RunStatus.class,
            access.topics().status(),
            status -> newest.put(status.getRunId(), status));
    return newest;
  }
}
