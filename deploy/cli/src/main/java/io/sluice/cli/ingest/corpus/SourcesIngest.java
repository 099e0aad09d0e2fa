package io.sluice.cli.ingest.corpus;

import io.sluice.cli.ingest.source.SourceParts;
import io.sluice.control.domain.EndedDomains;
import io.sluice.corpus.document.IngestListener;
import io.sluice.corpus.document.IngestReport;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.corpus.file.SourceFiles;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * An ingestion of a dataset's sources: each domain by itself, with its sources one after the other,
 * and at most {@value #SIDE_BY_SIDE} domains at the same time. Domains that have ended are left
 * out. What is of no domain, the dataset's first that has not ended tells: files, lines and rows.
 *
 * @param takeOver as {@link CorpusIngest} has it
 * @param threads that make documents, for all domains together
 */
public record SourcesIngest(
    KafkaAccess access,
    DatasetSpec dataset,
    boolean takeOver,
    int threads,
    IngestListener progress) {
  private static final int SIDE_BY_SIDE = 4;

  /**
   * Ingests what of the parts is not in the corpora.
   *
   * @param end mark the domains as ended of which everything could be read
   * @return what was done, for each domain
   * @throws RuntimeException the first failure of a domain, once all have ended
   */
  public Map<String, IngestReport> ingest(SourceParts parts, boolean end) {
    List<String> unended = new ArrayList<>(dataset.getDomains());
    unended.removeIf(new EndedDomains(access)::has);
    if (unended.isEmpty()) {
      return Map.of();
    }
    String teller = unended.get(0);
    Map<String, List<SourceParts.Part>> open = new LinkedHashMap<>(parts.byDomain());
    open.keySet().retainAll(unended);
    new NobodysFiles(access, dataset).tell(parts.nobodys(), teller);
    int atOnce = Math.max(1, Math.min(SIDE_BY_SIDE, open.size()));
    IngestListener together = together();
    ExecutorService domains = Executors.newFixedThreadPool(atOnce);
    try {
      Map<String, Future<IngestReport>> begun = new LinkedHashMap<>();
      open.forEach(
          (domain, its) ->
              begun.put(
                  domain,
                  domains.submit(
                      () ->
                          domain(
                              domain,
                              its.stream().map(part -> part.toldBy(teller)).toList(),
                              end,
                              Math.max(1, threads / atOnce),
                              together))));
      return ended(begun);
    } finally {
      domains.shutdownNow();
    }
  }

  private IngestReport domain(
      String domain,
      List<SourceParts.Part> parts,
      boolean end,
      int threadsOfOne,
      IngestListener listener) {
    IngestReport all = IngestReport.NOTHING;
    for (SourceParts.Part part : parts) {
      CorpusIngest ingest = ingest(part.settings(), false, threadsOfOne, listener);
      all = all.and(ingest(ingest, part));
    }
    boolean whole = all.givenUp() == 0 && all.documents() + all.known() > 0;
    if (!end || !whole) {
      return all;
    }
    ingest(IngestSettings.of(domain), true, 1, listener).files(new SourceFiles(List.of(), 0, 0));
    return all.withEnd();
  }

  private static IngestReport ingest(CorpusIngest ingest, SourceParts.Part part) {
    if (part.topic().isPresent()) {
      TopicReading reading =
          TopicReading.of(ingest.access(), part.topic().get(), part.settings().fields());
      return new TopicIngest(ingest, reading, false).run(() -> false);
    }
    return part.byReference() ? ingest.reference(part.files()) : ingest.files(part.files());
  }

  private CorpusIngest ingest(
      IngestSettings settings, boolean end, int threadsOfOne, IngestListener listener) {
    return new CorpusIngest(access, settings, false, takeOver, end, listener, threadsOfOne);
  }

  /** The listener, told by one thread at a time. */
  private IngestListener together() {
    return new IngestListener() {
      @Override
      public synchronized void accept(long bytes) {
        progress.accept(bytes);
      }

      @Override
      public synchronized void document() {
        progress.document();
      }
    };
  }

  /** Waits for all domains: one that fails ends no other. */
  private static Map<String, IngestReport> ended(Map<String, Future<IngestReport>> begun) {
    Map<String, IngestReport> reports = new LinkedHashMap<>();
    RuntimeException failure = null;
    for (Map.Entry<String, Future<IngestReport>> each : begun.entrySet()) {
      try {
        reports.put(each.getKey(), done(each.getValue()));
      } catch (RuntimeException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
    return reports;
  }

  private static IngestReport done(Future<IngestReport> report) {
    try {
      return report.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the ingest was interrupted", e);
    }
  }
}
