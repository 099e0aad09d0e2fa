package io.sluice.lab.bench.prepare;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.LowerCamelCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.sluice.lab.bench.measure.Spread;
import java.util.List;
import java.util.Locale;

/**
 * How fast documents become blocks, at the most threads that were measured.
 *
 * @param docsMBps bytes of text a second, 10^6, median
 * @param tokenizerMBps of the bare tokenizer in as many threads
 * @param byThreads the same at each number of threads
 */
@JsonNaming(LowerCamelCaseStrategy.class)
record PrepareResult(
    String tokenizer, double docsMBps, double tokenizerMBps, double ratio, List<Point> byThreads) {

  /** At one number of threads. */
  @JsonNaming(LowerCamelCaseStrategy.class)
  record Point(
      int threads,
      double docsMBps,
      double tokenizerMBps,
      double ratio,
      double cpuMicrosPerDocument,
      @JsonIgnore List<Spread> spreads) {

    static Point of(int threads, Spread docs, Spread tokenizer, double cpuMicros) {
      return new Point(
          threads,
          docs.median(),
          tokenizer.median(),
          docs.median() / tokenizer.median(),
          cpuMicros,
          List.of(docs, tokenizer));
    }
  }

  static PrepareResult of(String tokenizer, List<Point> points) {
    Point last = points.get(points.size() - 1);
    return new PrepareResult(
        tokenizer, last.docsMBps(), last.tokenizerMBps(), last.ratio(), points);
  }

  static final List<String> HEAD =
      List.of("threads", "documents MB/s", "bare tokenizer MB/s", "ratio", "CPU µs/document");

  List<List<String>> rows() {
    return byThreads.stream()
        .map(
            point ->
                List.of(
                    Integer.toString(point.threads()),
                    point.spreads().get(0).text(1),
                    point.spreads().get(1).text(1),
                    String.format(Locale.ROOT, "%.2f", point.ratio()),
                    String.format(Locale.ROOT, "%.0f", point.cpuMicrosPerDocument())))
        .toList();
  }
}
