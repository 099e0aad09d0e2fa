package io.sluice.jobs.mix.split;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

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

  /** The runs that it knows. */
  public Set<String> runIds() {
    Set<String> runIds = new HashSet<>();
    Stream.of(assigned.stream(), ended.stream(), waiting.stream().map(MixSplit::splitId))
        .flatMap(ids -> ids)
        .forEach(id -> runIds.add(MixSplit.runIdOf(id)));
    return runIds;
  }

  /** The runs that have nothing left to emit in any lane that it knows. */
  public Set<String> endedRunIds() {
    Set<String> runIds = new HashSet<>();
    ended.forEach(id -> runIds.add(MixSplit.runIdOf(id)));
    assigned.forEach(id -> runIds.remove(MixSplit.runIdOf(id)));
    waiting.forEach(split -> runIds.remove(split.runId()));
    return runIds;
  }

  public static EnumeratorState empty() {
    return new EnumeratorState(Map.of(), List.of(), Set.of(), Set.of());
  }
}
