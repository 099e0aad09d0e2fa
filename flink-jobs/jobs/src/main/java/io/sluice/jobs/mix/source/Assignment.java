package io.sluice.jobs.mix.source;

import io.sluice.jobs.mix.split.EnumeratorState;
import io.sluice.jobs.mix.split.MixSplit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Which reader has which split. Splits wait until they are given to the reader with the fewest.
 * After a restart nothing is given out before every reader has said what it has: then those that
 * had no split yet are not loaded with all of them, and a split that nobody has is noticed.
 */
final class Assignment {
  private final Map<String, MixSplit> waiting = new TreeMap<>();
  private final Map<String, Integer> owners = new HashMap<>();
  private final Set<String> ended = new HashSet<>();
  private final Set<String> unclaimed = new HashSet<>();
  private final Set<Integer> ready = new TreeSet<>();
  private boolean complete;

  Assignment(EnumeratorState state) {
    state.waiting().forEach(split -> waiting.put(split.splitId(), split));
    unclaimed.addAll(state.assigned());
    ended.addAll(state.ended());
  }

  /** Takes in a run that the control log starts; one that is known already is ignored. */
  void discovered(MixSplit split) {
    String id = split.splitId();
    boolean known = owners.containsKey(id) || unclaimed.contains(id) || ended.contains(id);
    if (!known) {
      waiting.putIfAbsent(id, split);
    }
  }

  /** A reader registers: what it has is unknown until it says so. */
  void registered(int reader) {
    ready.remove(reader);
  }

  /**
   * A reader says which splits it has.
   *
   * @param readers that there are
   * @throws IllegalStateException if a split that is not finished is with nobody
   */
  void owns(int reader, Collection<String> splitIds, int readers) {
    Set<String> lost = new TreeSet<>();
    owners.forEach(
        (id, owner) -> {
          if (owner == reader && !splitIds.contains(id)) {
            lost.add(id);
          }
        });
    for (String id : splitIds) {
      unclaimed.remove(id);
      ended.remove(id);
      owners.put(id, reader);
    }
    ready.add(reader);
    complete = complete || ready.size() >= readers;
    if (complete) {
      lost.addAll(unclaimed);
    }
    if (!lost.isEmpty()) {
      throw new IllegalStateException("no reader has the splits " + lost + " of runs that go on");
    }
  }

  /** Splits come back from a reader that failed before its first checkpoint with them. */
  void returned(Collection<MixSplit> splits) {
    for (MixSplit split : splits) {
      owners.remove(split.splitId());
      if (!ended.contains(split.splitId())) {
        waiting.put(split.splitId(), split);
      }
    }
  }

  /** A split has nothing left to emit. */
  void ended(String splitId) {
    owners.remove(splitId);
    waiting.remove(splitId);
    unclaimed.remove(splitId);
    ended.add(splitId);
  }

  /**
   * Gives out the splits that wait, to the reader with the fewest, the lowest number first.
   *
   * @param registered readers that can be given splits
   */
  Map<Integer, List<MixSplit>> assign(Set<Integer> registered) {
    Map<Integer, List<MixSplit>> given = new TreeMap<>();
    Map<Integer, Integer> load = new TreeMap<>();
    for (int reader : ready) {
      if (registered.contains(reader)) {
        load.put(reader, 0);
      }
    }
    if (!complete || load.isEmpty()) {
      return given;
    }
    owners.values().forEach(owner -> load.computeIfPresent(owner, (reader, count) -> count + 1));
    for (MixSplit split : waiting.values()) {
      int reader =
          load.entrySet().stream()
              .min(Comparator.comparingInt(Map.Entry::getValue))
              .orElseThrow()
              .getKey();
      load.merge(reader, 1, Integer::sum);
      owners.put(split.splitId(), reader);
      given.computeIfAbsent(reader, r -> new ArrayList<>()).add(split);
    }
    waiting.clear();
    return given;
  }

  /** Whether every reader has said what it has and no split waits. */
  boolean isSettled() {
    return complete && waiting.isEmpty();
  }

  /** Readers that have said what they have. */
  Set<Integer> ready() {
    return Set.copyOf(ready);
  }

  /** The runs of which all splits that were ever known are among these, and how many they are. */
  Map<String, Integer> whole(Set<String> finished) {
    Map<String, Integer> runs = new TreeMap<>();
    finished.stream()
        .filter(ended::contains)
        .forEach(id -> runs.merge(MixSplit.runIdOf(id), 1, Integer::sum));
    Stream<String> going =
        Stream.of(owners.keySet(), unclaimed, waiting.keySet()).flatMap(Set::stream);
    Stream<String> kept = ended.stream().filter(id -> !finished.contains(id));
    Stream.concat(going, kept).forEach(id -> runs.remove(MixSplit.runIdOf(id)));
    return runs;
  }

  /** What a checkpoint keeps, with the place up to which runs were looked for. */
  EnumeratorState snapshot(Map<Integer, Long> controlOffsets) {
    Set<String> assigned = new HashSet<>(owners.keySet());
    assigned.addAll(unclaimed);
    return new EnumeratorState(controlOffsets, List.copyOf(waiting.values()), assigned, ended);
  }
}
