package io.sluice.lab.bench.prepare;

import io.sluice.control.domain.PreparedDomains;
import io.sluice.lab.bench.measure.Stage;
import io.sluice.lab.bench.measure.TopicMeter;
import io.sluice.lab.bench.measure.TopicMeter.Growth;
import io.sluice.lab.bench.measure.Usage;
import io.sluice.schema.Supply;

/**
 * Watches from outside how many documents of a dataset are packed. That can be seen when a
 * checkpoint is complete, so from one such moment to another is what is measured.
 */
final class CommitMeter implements AutoCloseable {
  private final Stage stage;
  private final String dataset;
  private final PreparedDomains domains;

  /** What had been used when so many documents could be seen to be packed. */
  private record Commit(long documents, long nanos, Usage usage, long brokerCpuNanos) {
    Growth since(Commit before, long liveHeap) {
      return new Growth(
          documents - before.documents,
          (nanos - before.nanos) / 1e9,
          usage.cpuNanosSince(before.usage),
          usage.bytesSince(before.usage),
          brokerCpuNanos - before.brokerCpuNanos,
          liveHeap);
    }
  }

  CommitMeter(Stage stage, String dataset) {
    this.stage = stage;
    this.dataset = dataset;
    this.domains = new PreparedDomains(stage.kafka(), dataset);
  }

  /** Waits until the first documents can be seen to be packed. */
  void awaitFirst() {
    await(1);
  }

  /**
   * What packing documents took, from the first commit behind so many of them and a look at the
   * heap, to the last one before the end: behind the last documents a task waits for its
   * checkpoint. Where none is left for that, all that happened since the call is what is measured.
   *
   * @param all documents that there are
   */
  Growth measure(long from, long all) {
    Commit start = commit(0);
    long seen = await(from).documents();
    long liveHeap = Usage.liveHeap();
    Commit first = await(Math.min(seen + 1, all));
    Commit last = first;
    while (last.documents() < all) {
      Commit next = await(last.documents() + 1);
      if (next.documents() == all && last.nanos() != first.nanos()) {
        break;
      }
      last = next;
    }
    return last.since(last.nanos() == first.nanos() ? start : first, liveHeap);
  }

  private Commit await(long documents) {
    return commit(
        TopicMeter.await("packed documents of dataset " + dataset, this::packed, documents));
  }

  private Commit commit(long documents) {
    return new Commit(documents, System.nanoTime(), Usage.now(), stage.brokerCpu().toNanos());
  }

  private long packed() {
    return domains.now().values().stream().mapToLong(Supply::getDocuments).sum();
  }

  @Override
  public void close() {
    domains.close();
  }
}
