package io.sluice.lab.bench.age;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.LowerCamelCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What age costs.
 *
 * @param ratios the old service's medians of time over the young one's
 * @param logRecordsPer10000StaticBatches entries in the log of a run whose weights stay
 */
@JsonNaming(LowerCamelCaseStrategy.class)
record AgeResult(
    Ratios ratios, long logRecordsPer10000StaticBatches, AgeFigures old, AgeFigures young) {
  static final List<String> HEAD =
      List.of("what", "old ms", "young ms", "×", "old CPU ms", "young CPU ms", "× CPU");

  /**
   * The old service's figures over the young one's.
   *
   * @param openPython null where there is no Python
   * @param heap the greater of the ratios of what lives with the job and with an open trainer
   */
  @JsonNaming(LowerCamelCaseStrategy.class)
  record Ratios(
      double openJava,
      @Nullable Double openPython,
      double runList,
      double runShow,
      double restartFromCheckpoint,
      double restartWithoutState,
      double heap) {}

  static AgeResult of(AgeFigures old, AgeFigures young, long staticRecords) {
    Cost oldPython = old.openPython();
    Cost youngPython = young.openPython();
    Ratios ratios =
        new Ratios(
            ratio(old.openJava(), young.openJava()),
            oldPython == null || youngPython == null ? null : ratio(oldPython, youngPython),
            ratio(old.runList(), young.runList()),
            ratio(old.runShow(), young.runShow()),
            ratio(old.restartFromCheckpoint(), young.restartFromCheckpoint()),
            ratio(old.restartWithoutState(), young.restartWithoutState()),
            Math.max(
                ratio(old.jobHeapBytes(), young.jobHeapBytes()),
                ratio(old.openHeapBytes(), young.openHeapBytes())));
    return new AgeResult(ratios, staticRecords, old, young);
  }

  private static double ratio(Cost old, Cost young) {
    return old.wall().median() / young.wall().median();
  }

  /** Of heaps, which a collection may find smaller than before: at least a MiB counts. */
  private static double ratio(long oldBytes, long youngBytes) {
    return (double) Math.max(1 << 20, oldBytes) / Math.max(1 << 20, youngBytes);
  }

  List<List<String>> rows() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(row("open a trainer, Java", old.openJava(), young.openJava()));
    Cost oldPython = old.openPython();
    Cost youngPython = young.openPython();
    if (oldPython != null && youngPython != null) {
      rows.add(row("open a trainer, Python", oldPython, youngPython));
    }
    rows.add(row("run list", old.runList(), young.runList()));
    rows.add(row("run show", old.runShow(), young.runShow()));
    rows.add(
        row(
            "restart from a checkpoint",
            old.restartFromCheckpoint(),
            young.restartFromCheckpoint()));
    rows.add(row("restart without state", old.restartWithoutState(), young.restartWithoutState()));
    rows.add(heap("heap of the job, MiB", old.jobHeapBytes(), young.jobHeapBytes()));
    rows.add(heap("heap of an open trainer, MiB", old.openHeapBytes(), young.openHeapBytes()));
    rows.add(
        List.of(
            "log records per 10,000 static batches",
            Long.toString(logRecordsPer10000StaticBatches),
            "",
            "",
            "",
            "",
            ""));
    return rows;
  }

  private static List<String> row(String what, Cost old, Cost young) {
    return List.of(
        what,
        old.wall().text(0),
        young.wall().text(0),
        number("%.2f", ratio(old, young)),
        number("%.0f", old.cpu().median()),
        number("%.0f", young.cpu().median()),
        number("%.2f", old.cpu().median() / young.cpu().median()));
  }

  private static List<String> heap(String what, long old, long young) {
    double mebi = 1 << 20;
    return List.of(
        what,
        number("%.1f", old / mebi),
        number("%.1f", young / mebi),
        number("%.2f", ratio(old, young)),
        "",
        "",
        "");
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }
}
