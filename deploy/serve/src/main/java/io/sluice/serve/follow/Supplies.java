package io.sluice.serve.follow;

import io.sluice.control.domain.PreparedDomains;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Supply;
import java.util.HashMap;
import java.util.Map;

/** What is prepared of the datasets that somebody asked for. */
public final class Supplies implements AutoCloseable {
  private final KafkaAccess access;
  private final Map<String, PreparedDomains> followed = new HashMap<>();

  /** Nothing is read yet. */
  public Supplies(KafkaAccess access) {
    this.access = access;
  }

  /** What is prepared of a dataset now, by domain. */
  public synchronized Map<String, Supply> now(String dataset) {
    return followed.computeIfAbsent(dataset, name -> new PreparedDomains(access, name)).now();
  }

  @Override
  public synchronized void close() {
    followed.values().forEach(PreparedDomains::close);
    followed.clear();
  }
}
