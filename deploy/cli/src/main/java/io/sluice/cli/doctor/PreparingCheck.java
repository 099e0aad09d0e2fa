package io.sluice.cli.doctor;

import io.sluice.control.config.Durations;
import io.sluice.control.domain.CorpusEnd;
import io.sluice.control.domain.CorpusEnds;
import io.sluice.control.domain.PreparedDomains;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.TopicReader;
import io.sluice.schema.segment.InPlace;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;

/**
 * Whether documents of each dataset are prepared at all. A job that has prepared some of them and
 * has ended since is known to Flink alone.
 */
record PreparingCheck(Brokers brokers, InstantSource clock, Duration limit) implements Check {
  /** A job that has just been started has committed its first blocks by then. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @Override
  public String name() {
    return "PrepareJob";
  }

  @Override
  public List<Finding> look() throws ExecutionException, InterruptedException {
    if (!brokers.topics().ownsDatasets()) {
      return List.of(Finding.skipped(name(), "datasets are prepared under another prefix"));
    }
    Map<String, Instant> waiting = new LinkedHashMap<>();
    int prepared = 0;
    for (DatasetSpec dataset : brokers.deployment().datasets()) {
      if (!PreparedDomains.read(brokers.access(), dataset.getName()).isEmpty()) {
        prepared++;
      } else {
        oldest(dataset).forEach(since -> waiting.put(dataset.getName(), since));
      }
    }
    return of(prepared, waiting, clock.instant());
  }

  /** When the first documents of its domains were written. */
  private List<Instant> oldest(DatasetSpec dataset) {
    List<Instant> first = new ArrayList<>();
    Map<String, CorpusEnd> ends =
        new CorpusEnds(brokers.access()).of(InPlace.without(dataset).getDomains());
    try (TopicReader reader = TopicReader.committed(brokers.access())) {
      ends.forEach(
          (domain, end) -> {
            if (end.records() > 0) {
              reader
                  .at(brokers.topics().corpus(domain), 0, limit)
                  .ifPresent(record -> first.add(Instant.ofEpochMilli(record.timestamp())));
            }
          });
    }
    return first.stream().min(Instant::compareTo).stream().toList();
  }

  /**
   * What is said of them.
   *
   * @param prepared datasets of which something is
   * @param waiting by dataset of which nothing is: since when it has documents
   */
  List<Finding> of(int prepared, Map<String, Instant> waiting, Instant now) {
    List<Finding> findings = new ArrayList<>();
    waiting.forEach(
        (dataset, since) -> {
          if (since.isBefore(now.minus(PATIENCE))) {
            findings.add(
                Finding.failure(
                    name(),
                    "nothing of dataset %s is prepared, whose documents have been there for %s"
                        .formatted(dataset, Durations.passed(Duration.between(since, now))),
                    "start 'sluice up', or in your Flink the job 'prepare --dataset %s', whose log"
                            .formatted(dataset)
                        + " says why it does not go on"));
          }
        });
    if (findings.isEmpty()) {
      findings.add(
          prepared == 0 && waiting.isEmpty()
              ? Finding.skipped(name(), "no dataset has documents")
              : Finding.ok(
                  name(),
                  "documents of "
                      + prepared
                      + (prepared == 1 ? " dataset are" : " datasets are")
                      + " prepared"));
    }
    return findings;
  }
}
