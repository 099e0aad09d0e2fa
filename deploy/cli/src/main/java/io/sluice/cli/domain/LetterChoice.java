package io.sluice.cli.domain;

import io.sluice.control.domain.DeadLetterLog;
import io.sluice.control.error.BadInputException;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RefusedSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The dead letters that are to be retried.
 *
 * @param letters those that say how their files were read, and were not retried yet
 * @param others outcomes of all others
 * @param told places of each domain that have letters
 */
record LetterChoice(
    List<RefusedLetter> letters, List<LetterOutcome> others, Map<String, Set<String>> told) {
  /**
   * Reads the letters.
   *
   * @param numbers those that are wanted; if none, all of a domain
   * @param domain that one; '' for all
   * @throws BadInputException if a number is no letter's
   */
  static LetterChoice read(KafkaAccess access, List<Long> numbers, String domain) {
    Set<Long> wanted = new TreeSet<>(numbers);
    List<RefusedLetter> letters = new ArrayList<>();
    Map<Long, LetterOutcome> others = new TreeMap<>();
    Map<String, Set<String>> told = new HashMap<>();
    Map<RefusedSource, RefusedSource> sources = new HashMap<>();
    Map<Long, Long> retried = new HashMap<>();
    LeftLetters left = new LeftLetters(access.topics());
    new DeadLetterLog(access)
        .read(
            entry -> {
              boolean chosen =
                  numbers.isEmpty()
                      ? domain.isEmpty() || domain.equals(entry.domain().orElse(""))
                      : wanted.remove(entry.number());
              RefusedLetter letter = RefusedLetter.of(entry, sources).orElse(null);
              if (letter != null) {
                told.computeIfAbsent(letter.domain(), its -> new HashSet<>()).add(letter.place());
                if (chosen) {
                  letters.add(letter);
                }
              } else if (chosen) {
                others.put(entry.number(), LetterOutcome.left(entry, left.why(entry)));
              }
            },
            retry -> DeadLetterLog.note(retry, retried));
    if (!wanted.isEmpty()) {
      throw new BadInputException(
          "NUMBER must be that of a dead letter, as 'sluice deadletter list' has them: "
              + wanted.iterator().next());
    }
    letters.removeIf(each -> retried.containsKey(each.number()));
    return new LetterChoice(letters, List.copyOf(others.values()), told);
  }

  boolean isEmpty() {
    return letters.isEmpty() && others.isEmpty();
  }
}
