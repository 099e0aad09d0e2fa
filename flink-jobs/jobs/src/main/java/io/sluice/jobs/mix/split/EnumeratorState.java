package io.sluice.jobs.mix.split;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the enumerator remembers.
 *
 * @param controlOffsets per partition of the control log, the offset from which runs are looked for
 * @param waiting splits that no reader has
 * @param assigned ids of the splits that readers have
 * @param ended ids of the splits that have nothing left to emit; kept, because a run starts once
 */
public record EnumeratorState(
    Map<Integer, Long> controlOffsets,
    List<MixSplit> waiting,
    Set<String> assigned,
    Set<String> ended) {
  /** Copies the collections. */
  public EnumeratorState {
    controlOffsets = Map.copyOf(controlOffsets);
    waiting = List.copyOf(waiting);
    assigned = Set.copyOf(assigned);
    ended = Set.copyOf(ended);
  }

  public static EnumeratorState empty() {
    return new EnumeratorState(Map.of(), List.of(), Set.of(), Set.of());
  }
}
