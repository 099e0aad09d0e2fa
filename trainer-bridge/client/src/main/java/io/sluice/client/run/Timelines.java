package io.sluice.client.run;

import io.sluice.mixture.log.Lineage;
import java.util.ArrayList;
import java.util.List;

/**
 * Which timeline of a run owns which batches and which sequences of its stream; immutable.
 *
 * @param lineage who owns which batch
 * @param opened in the order of the log, from timeline 0
 * @param chainStart chain hash of each stream partition before its first sequence in a timeline
 */
public record Timelines(Lineage lineage, List<Opened> opened, long chainStart) {
  /**
   * A timeline.
   *
   * @param after its first batch is the next one
   * @param firstIndex global index of the first sequence of that batch
   */
  public record Opened(int timeline, long after, long firstIndex) {}

  /** Copies the list. */
  public Timelines {
    opened = List.copyOf(opened);
  }

  /** The first timeline of a run, which begins after a batch: 0 unless the run is a fork. */
  public static Timelines startingAfter(long batch, long firstIndex, long chainStart) {
    return new Timelines(Lineage.start(), List.of(new Opened(0, batch, firstIndex)), chainStart);
  }

  /** With another timeline, which now owns all batches after one. */
  public Timelines opening(int timeline, long after, long firstIndex) {
    List<Opened> all = new ArrayList<>(opened);
    all.add(new Opened(timeline, after, firstIndex));
    return new Timelines(lineage.opened(timeline, after), all, chainStart);
  }

  /** The one that the run goes on with. */
  public int newest() {
    return lineage.newest();
  }

  /** Where the run begins. */
  Opened first() {
    return opened.get(0);
  }

  /** The timeline that owns a batch; that of the run's start for what is not after it. */
  public int owner(long batch) {
    return lineage.owner(batch);
  }

  /** The opening of the timeline that owns a sequence. */
  public Opened ofIndex(long index) {
    for (int i = opened.size() - 1; i > 0; i--) {
      if (opened.get(i).firstIndex() <= index) {
        return opened.get(i);
      }
    }
    return first();
  }

  /** Last batch of a timeline that later ones left to it; {@link Long#MAX_VALUE} for the newest. */
  public long end(int timeline) {
    return lineage.end(timeline);
  }
}
