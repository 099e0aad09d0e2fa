package io.sluice.jobs.mix.mark;

import io.sluice.schema.WholeStream;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** Marks in memory. */
public final class TestingMarks implements StreamMarks {
  private final Map<String, WholeStream> marks = new HashMap<>();

  @Override
  public Map<String, WholeStream> read() {
    return Map.copyOf(marks);
  }

  @Override
  public void write(Collection<WholeStream> written, Collection<String> revoked) {
    revoked.forEach(marks::remove);
    written.forEach(mark -> marks.put(mark.getRunId(), mark));
  }
}
