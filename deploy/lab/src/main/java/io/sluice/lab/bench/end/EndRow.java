package io.sluice.lab.bench.end;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.LowerCamelCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.sluice.lab.bench.measure.Spread;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What one way of delivery takes.
 *
 * @param turn whether the rows were mixed at the time
 * @param client that reads, or the loader that is compared
 * @param cpuSecondsPerGtok processor time of all processes for 10^9 tokens, median
 * @param byPart the same of each part, medians
 * @param mtokPerSecond 10^6 tokens a second in the training loop, median
 * @param residentMiB of each part at a turn's end, medians
 * @param coldCpuSecondsPerGtok of the first turn of all
 * @param ratioToMemoryMap of processor time; null where no memory map took turns that can be
 *     measured
 */
@JsonNaming(LowerCamelCaseStrategy.class)
record EndRow(
    Delivery delivery,
    Turn turn,
    String client,
    int domains,
    double cpuSecondsPerGtok,
    Map<Part, Double> byPart,
    double mtokPerSecond,
    Map<Part, Double> residentMiB,
    double coldCpuSecondsPerGtok,
    @Nullable Double ratioToMemoryMap,
    @JsonIgnore Spread cpu,
    @JsonIgnore Spread rate) {
  static final List<String> HEAD =
      List.of(
          "domains",
          "tokens from",
          "client",
          "turn",
          "CPU s/Gtok",
          "broker + job + reader",
          "× memory map",
          "Mtok/s",
          "cold CPU s/Gtok",
          "MiB: broker + job + reader");

  /**
   * One row for each way.
   *
   * @param turns of all ways, in order
   * @param warmUps how many of them do not count; the first is cold
   */
  static List<EndRow> of(int domains, List<List<Measured>> turns, int warmUps) {
    List<Measured> counted =
        turns.subList(warmUps, turns.size()).stream().flatMap(List::stream).toList();
    List<Measured> memoryMap = of(Way.MEMORY_MAP, counted);
    @Nullable Double reference = memoryMap.isEmpty() ? null : reference(memoryMap);
    return turns.get(0).stream()
        .map(cold -> of(domains, cold, of(cold.way(), counted), reference))
        .toList();
  }

  private static List<Measured> of(Way way, List<Measured> turns) {
    return turns.stream().filter(each -> each.way().equals(way)).toList();
  }

  /** Null where turns are too short to be measured. */
  private static @Nullable Double reference(List<Measured> memoryMap) {
    double seconds = spread(memoryMap, Measured::allCpuSecondsPerGtok).median();
    return seconds > 0 ? seconds : null;
  }

  private static EndRow of(
      int domains, Measured cold, List<Measured> turns, @Nullable Double reference) {
    Way way = cold.way();
    Spread cpu = spread(turns, Measured::allCpuSecondsPerGtok);
    Spread rate = spread(turns, Measured::mtokPerSecond);
    return new EndRow(
        way.delivery(),
        way.turn(),
        way.client(),
        domains,
        cpu.median(),
        medians(turns, Measured::cpuSecondsPerGtok),
        rate.median(),
        medians(turns, Measured::residentMib),
        cold.allCpuSecondsPerGtok(),
        reference == null ? null : cpu.median() / reference,
        cpu,
        rate);
  }

  private static Map<Part, Double> medians(
      List<Measured> turns, Function<Measured, Map<Part, Double>> of) {
    Map<Part, Double> medians = new EnumMap<>(Part.class);
    of.apply(turns.get(0))
        .keySet()
        .forEach(
            part ->
                medians.put(
                    part, spread(turns, each -> of.apply(each).getOrDefault(part, 0.0)).median()));
    return medians;
  }

  private static Spread spread(List<Measured> turns, ToDoubleFunction<Measured> what) {
    return Spread.of(turns.stream().mapToDouble(what).boxed().toList());
  }

  /** The row of a table. */
  List<String> cells() {
    return List.of(
        Integer.toString(domains),
        delivery.text(),
        client,
        turn.text(),
        cpu.text(1),
        parts(byPart, "%.1f"),
        ratioToMemoryMap == null ? "" : number("%.1f", ratioToMemoryMap),
        rate.text(0),
        number("%.1f", coldCpuSecondsPerGtok),
        parts(residentMiB, "%.0f"));
  }

  private static String parts(Map<Part, Double> of, String format) {
    return List.of(Part.values()).stream()
        .map(part -> of.containsKey(part) ? number(format, of.get(part)) : "–")
        .collect(Collectors.joining(" + "));
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }
}
