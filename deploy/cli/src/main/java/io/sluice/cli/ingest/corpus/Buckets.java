package io.sluice.cli.ingest.corpus;

import io.sluice.control.error.BadInputException;
import io.sluice.control.line.Utf8;
import io.sluice.corpus.document.DocumentSink;
import io.sluice.mixture.curriculum.PerplexityCurriculum;
import io.sluice.mixture.curriculum.PerplexityCurriculum.Placed;
import io.sluice.mixture.curriculum.PerplexityCurriculum.Scored;
import io.sluice.schema.DeadLetter;
import io.sluice.schema.Document;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Documents cut by their scores, the lowest first, into buckets of about equal bytes of text: each
 * a domain of its own, for a curriculum. See {@link PerplexityCurriculum} for the cut.
 *
 * @param domains names of the buckets, the lowest scores first
 * @param bucketOf each document, in the order of ingestion
 * @param reports one for each bucket
 */
public record Buckets(List<String> domains, int[] bucketOf, List<Report> reports) {
  /**
   * What a bucket holds.
   *
   * @param bytes UTF-8 bytes of the documents' texts
   * @param lowest score of a document
   * @param highest score of a document
   */
  public record Report(String domain, long documents, long bytes, double lowest, double highest) {}

  /** Names of a domain's buckets. */
  static List<String> named(String domain, int count) {
    List<String> names = new ArrayList<>();
    for (int bucket = 0; bucket < count; bucket++) {
      names.add(domain + "-b" + bucket);
    }
    return List.copyOf(names);
  }

  /**
   * Cuts documents into buckets.
   *
   * @throws BadInputException if a bucket would be empty
   */
  static Buckets cut(List<String> domains, List<Scored> documents) {
    int count = domains.size();
    int[] bucketOf = new int[documents.size()];
    long[] sizes = new long[count];
    long[] bytes = new long[count];
    double[] lowest = new double[count];
    double[] highest = new double[count];
    Arrays.fill(lowest, Double.POSITIVE_INFINITY);
    for (Placed placed : PerplexityCurriculum.order(documents, count)) {
      Scored document = documents.get((int) placed.id());
      int bucket = placed.group();
      bucketOf[(int) placed.id()] = bucket;
      sizes[bucket]++;
      bytes[bucket] += document.tokens();
      lowest[bucket] = Math.min(lowest[bucket], document.perplexity());
      highest[bucket] = Math.max(highest[bucket], document.perplexity());
    }
    List<Report> reports = new ArrayList<>();
    for (int bucket = 0; bucket < count; bucket++) {
      if (sizes[bucket] == 0) {
        throw new BadInputException(
            "--buckets must leave documents for each: of "
                + documents.size()
                + " with a score, none would be in "
                + domains.get(bucket));
      }
      reports.add(
          new Report(
              domains.get(bucket), sizes[bucket], bytes[bucket], lowest[bucket], highest[bucket]));
    }
    return new Buckets(domains, bucketOf, List.copyOf(reports));
  }

  /** Takes the scores of documents, and leaves everything else for when they are written. */
  static final class Scores implements DocumentSink {
    private final String field;
    private final List<Scored> scored = new ArrayList<>();

    Scores(String field) {
      this.field = field;
    }

    List<Scored> all() {
      return scored;
    }

    @Override
    public void document(Document document, byte[] encoded) {
      scored.add(scored(scored.size(), document, field));
    }

    @Override
    public void deadLetter(DeadLetter letter) {}
  }

  /** Gives each document to its bucket, and what could not be used to the first. */
  static final class Router implements DocumentSink {
    private final Buckets buckets;
    private final List<? extends DocumentSink> sinks;
    private final List<Scored> expected;
    private final String field;
    private int next;

    Router(
        Buckets buckets, List<? extends DocumentSink> sinks, List<Scored> expected, String field) {
      this.buckets = buckets;
      this.sinks = sinks;
      this.expected = expected;
      this.field = field;
    }

    @Override
    public void document(Document document, byte[] encoded) {
      boolean known = next < expected.size();
      if (!known || !scored(next, document, field).equals(expected.get(next))) {
        throw new BadInputException(
            "PATH must not change while it is read: document '" + document.getId() + "' is new");
      }
      sinks.get(buckets.bucketOf[next]).document(document, encoded);
      next++;
    }

    @Override
    public void deadLetter(DeadLetter letter) {
      sinks.get(0).deadLetter(letter);
    }
  }

  private static Scored scored(int place, Document document, String field) {
    double score = Double.parseDouble(document.getProperties().get(field));
    return new Scored(place, score, Utf8.length(document.getText()));
  }
}
