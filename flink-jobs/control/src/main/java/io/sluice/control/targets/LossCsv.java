package io.sluice.control.targets;

import io.sluice.control.error.BadInputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/** Losses in a CSV file with the columns tokens, domain and loss, in any order. */
public final class LossCsv {
  private static final List<String> COLUMNS = List.of("tokens", "domain", "loss");

  private LossCsv() {}

  /**
   * The losses of a file; its measurements are numbered by their tokens.
   *
   * @throws BadInputException naming the line
   */
  public static LossHistory read(Path file) {
    List<String> lines;
    try {
      lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new BadInputException("FILE must be a readable CSV file: " + file + ": " + e, e);
    }
    List<String> head = lines.isEmpty() ? List.of() : cells(lines.get(0));
    if (!head.containsAll(COLUMNS)) {
      throw new BadInputException(
          file + ": the first line must name the columns " + COLUMNS + ": " + head);
    }
    SortedMap<Double, Map<String, Double>> byTokens = new TreeMap<>();
    Map<String, Integer> domains = new LinkedHashMap<>();
    for (int n = 1; n < lines.size(); n++) {
      if (lines.get(n).isBlank()) {
        continue;
      }
      String where = file + ", line " + (n + 1) + ": ";
      List<String> cells = cells(lines.get(n));
      if (cells.size() != head.size()) {
        throw new BadInputException(where + "must have " + head.size() + " cells: " + cells.size());
      }
      String domain = cells.get(head.indexOf("domain"));
      double tokens = number(where + "tokens", cells.get(head.indexOf("tokens")), true);
      double loss = number(where + "loss", cells.get(head.indexOf("loss")), false);
      domains.putIfAbsent(domain, domains.size());
      byTokens.computeIfAbsent(tokens, t -> new LinkedHashMap<>()).put(domain, loss);
    }
    return history(file, List.copyOf(domains.keySet()), byTokens);
  }

  private static LossHistory history(
      Path file, List<String> domains, SortedMap<Double, Map<String, Double>> byTokens) {
    if (domains.isEmpty()) {
      throw new BadInputException(file + ": must have a line for each measurement: none");
    }
    SortedMap<Long, LossHistory.Round> rounds = new TreeMap<>();
    byTokens.forEach(
        (seen, byDomain) -> {
          double[] row = new double[domains.size()];
          Arrays.setAll(row, i -> byDomain.getOrDefault(domains.get(i), Double.NaN));
          rounds.put((long) rounds.size(), new LossHistory.Round(seen, row));
        });
    double[] shares = new double[domains.size()];
    Arrays.fill(shares, 1.0 / shares.length);
    return new LossHistory(domains, shares, rounds, OptionalDouble.empty(), false);
  }

  private static List<String> cells(String line) {
    List<String> cells = new ArrayList<>();
    for (String cell : line.split(",", -1)) {
      cells.add(cell.strip());
    }
    return cells;
  }

  private static double number(String what, String text, boolean zeroToo) {
    double value;
    try {
      value = Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new BadInputException(what + " must be a number: '" + text + "'", e);
    }
    if (!(value > 0 || (zeroToo && value == 0)) || Double.isInfinite(value)) {
      throw new BadInputException(
          what + " must be finite and " + (zeroToo ? "at least" : "above") + " 0: " + text);
    }
    return value;
  }
}
