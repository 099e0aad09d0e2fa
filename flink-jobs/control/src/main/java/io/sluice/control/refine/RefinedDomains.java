package io.sluice.control.refine;

import io.sluice.control.domain.CorpusEnd;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RefineProgress;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.RefinedDomain;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** How many documents the domains have that refineries write, as these count them. */
public record RefinedDomains(KafkaAccess access) {
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  /**
   * The same ends, but for the marks of transactions among the records.
   *
   * @throws io.sluice.schema.KafkaUnreachableException if no broker answers
   */
  public Map<String, CorpusEnd> counted(Map<String, CorpusEnd> ends) {
    Map<String, CorpusEnd> counted = new TreeMap<>(ends);
    for (RefineSpec refinery : new Refineries(access).all()) {
      Optional<RefineProgress> told = new RefineLog(access, refinery.getName()).progress(PATIENCE);
      Map<String, Long> documents = new TreeMap<>();
      told.ifPresent(
          progress ->
              progress
                  .getOutputs()
                  .forEach(
                      (RefinedDomain each) ->
                          documents.put(each.getDomain(), each.getDocuments())));
      for (String domain : refinery.getDomains()) {
        counted.computeIfPresent(
            domain,
            (name, end) ->
                new CorpusEnd(
                    documents.getOrDefault(name, 0L) + (end.marked() ? 1 : 0), end.marked()));
      }
    }
    return counted;
  }
}
