package io.sluice.mixture.log;

import java.util.ArrayList;
import java.util.List;

/**
 * Which timeline each batch of a run belongs to, as the run now is: a rewind to batch B opens a
 * timeline that owns every batch after B, and what others owned there is nobody's.
 *
 * @param openings ascending in both fields; the first is that of timeline 0
 */
public record Lineage(List<Opening> openings) {
  /** Most timelines that own something at once: a run's state must stay small. */
  public static final int MOST = 1024;

  /**
   * A timeline began.
   *
   * @param after its first batch is the next one; −1 for the first timeline, which owns step 0
   */
  public record Opening(int timeline, long after) {}

  /** Checks the order. */
  public Lineage {
    openings = List.copyOf(openings);
    if (openings.isEmpty() || openings.get(0).after() != -1) {
      throw new IllegalArgumentException("a lineage must begin before step 0: " + openings);
    }
    for (int i = 1; i < openings.size(); i++) {
      Opening before = openings.get(i - 1);
      Opening next = openings.get(i);
      if (next.timeline() <= before.timeline() || next.after() <= before.after()) {
        throw new IllegalArgumentException("timelines must open one after another: " + openings);
      }
    }
  }

  /** One timeline that owns everything. */
  public static Lineage start() {
    return new Lineage(List.of(new Opening(0, -1)));
  }

  /** The timeline that owns a step or batch: the last one that was opened before it. */
  public int owner(long step) {
    for (int i = openings.size() - 1; i > 0; i--) {
      if (openings.get(i).after() < step) {
        return openings.get(i).timeline();
      }
    }
    return openings.get(0).timeline();
  }

  /** The timeline that the run goes on with. */
  public int newest() {
    return openings.get(openings.size() - 1).timeline();
  }

  /** The batch that the newest timeline begins after; −1 for the first one. */
  public long newestAfter() {
    return openings.get(openings.size() - 1).after();
  }

  /** Last batch of a timeline that later ones left to it; {@link Long#MAX_VALUE} for the newest. */
  public long end(int timeline) {
    return openings.stream()
        .filter(each -> each.timeline() > timeline)
        .mapToLong(Opening::after)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  /** This lineage once {@code timeline} is opened at the end of batch {@code after}. */
  public Lineage opened(int timeline, long after) {
    List<Opening> kept = new ArrayList<>(openings);
    kept.removeIf(opening -> opening.after() >= after);
    kept.add(new Opening(timeline, after));
    return new Lineage(kept);
  }
}
