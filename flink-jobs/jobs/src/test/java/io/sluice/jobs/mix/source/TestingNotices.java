package io.sluice.jobs.mix.source;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What people were told, in order. */
final class TestingNotices implements EmissionNotices {
  final List<String> told = new CopyOnWriteArrayList<>();

  @Override
  public void waits(String runId, int lane, String reason, long sinceMillis) {
    told.add(runId + "/" + lane + " waits " + reason);
  }

  @Override
  public void flows(String runId, int lane) {
    told.add(runId + "/" + lane + " flows");
  }

  /** The last that was told of a lane. */
  String last(String runId, int lane) {
    String key = runId + "/" + lane + " ";
    return told.stream().filter(line -> line.startsWith(key)).reduce("", (a, b) -> b);
  }

  @Override
  public void close() {}
}
