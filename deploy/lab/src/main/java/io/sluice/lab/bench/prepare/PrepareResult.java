package io.sluice.lab.bench.prepare;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.LowerCamelCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.sluice.lab.bench.measure.Spread;
import io.sluice.lab.bench.prepare.PrepareBenchmark.Turn;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * How fast documents become blocks.
 *
 * @param preTokenized whether they came as ids
 * @param docsMBps bytes of text a second, 10^6, median, of the last point
 * @param tokenizerMBps of the bare tokenizer in as many threads
 * @param points at each number of domains, and there at each number of threads
 */
@JsonNaming(LowerCamelCaseStrategy.class)
record PrepareResult(
    String tokenizer,
    boolean preTokenized,
    double docsMBps,
    double tokenizerMBps,
    double ratio,
    List<Point> points) {

  /**
   * At one number of domains and of threads.
   *
   * @param idsMBpsPerCore bytes of the documents' ids for each second of the job's processor time
   * @param brokerMicrosPerDocument processor time of the broker
   * @param heapMib of the heap that live after a collection, the job's part, while it works
   * @param startSeconds from its submission until the first documents are packed and committed
   */
  @JsonNaming(LowerCamelCaseStrategy.class)
  record Point(
      int domains,
      int threads,
      double docsMBps,
      double tokenizerMBps,
      double ratio,
      double idsMBpsPerCore,
      double cpuMicrosPerDocument,
      double brokerMicrosPerDocument,
      double heapMib,
      double startSeconds,
      @JsonIgnore List<Spread> spreads) {

    static Point of(int domains, int threads, MadeUpDocuments documents, List<Turn> turns) {
      Spread docs = of(turns, t -> t.growth().megabytesPerSecond(documents.meanBytes()));
      Spread tokenizer = of(turns, t -> t.bare().megabytesPerSecond(documents.meanBytes()));
      double micros = of(turns, t -> t.growth().cpuMicrosPerRecord()).median();
      return new Point(
          domains,
          threads,
          docs.median(),
          tokenizer.median(),
          docs.median() / tokenizer.median(),
          documents.meanIdBytes() / micros,
          micros,
          of(turns, t -> t.growth().brokerCpuMicrosPerRecord()).median(),
          of(turns, Turn::heapMib).median(),
          of(turns, Turn::startSeconds).median(),
          List.of(docs, tokenizer));
    }

    private static Spread of(List<Turn> turns, ToDoubleFunction<Turn> what) {
      return Spread.of(turns.stream().mapToDouble(what).boxed().toList());
    }
  }

  static PrepareResult of(String tokenizer, boolean preTokenized, List<Point> points) {
    Point last = points.get(points.size() - 1);
    return new PrepareResult(
        tokenizer, preTokenized, last.docsMBps(), last.tokenizerMBps(), last.ratio(), points);
  }

  static final List<String> HEAD =
      List.of(
          "domains",
          "threads",
          "documents MB/s",
          "bare tokenizer MB/s",
          "ratio",
          "ids MB/s a core",
          "CPU µs/document",
          "broker µs/document",
          "heap MiB",
          "start s");

  List<List<String>> rows() {
    return points.stream()
        .map(
            point ->
                List.of(
                    Integer.toString(point.domains()),
                    Integer.toString(point.threads()),
                    point.spreads().get(0).text(1),
                    point.spreads().get(1).text(1),
                    number("%.2f", point.ratio()),
                    number("%.0f", point.idsMBpsPerCore()),
                    number("%.0f", point.cpuMicrosPerDocument()),
                    number("%.0f", point.brokerMicrosPerDocument()),
                    number("%.0f", point.heapMib()),
                    number("%.1f", point.startSeconds())))
        .toList();
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }
}
