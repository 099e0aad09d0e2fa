package io.sluice.jobs.mix.source;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.groups.SourceReaderMetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.util.SimpleUserCodeClassLoader;
import org.apache.flink.util.UserCodeClassLoader;

/** A reader's surroundings that keep what it sends. */
public final class TestingReaderContext implements SourceReaderContext {
  private final List<SourceEvent> events = new ArrayList<>();

  /** What it has sent, oldest first. */
  public List<SourceEvent> events() {
    return events;
  }

  @Override
  public SourceReaderMetricGroup metricGroup() {
    return UnregisteredMetricsGroup.createSourceReaderMetricGroup();
  }

  @Override
  public Configuration getConfiguration() {
    return new Configuration();
  }

  @Override
  public String getLocalHostName() {
    return "localhost";
  }

  @Override
  public int getIndexOfSubtask() {
    return 0;
  }

  @Override
  public void sendSplitRequest() {
    throw new UnsupportedOperationException("splits are given, not asked for");
  }

  @Override
  public void sendSourceEventToCoordinator(SourceEvent event) {
    events.add(event);
  }

  @Override
  public UserCodeClassLoader getUserCodeClassLoader() {
    return SimpleUserCodeClassLoader.create(getClass().getClassLoader());
  }
}
