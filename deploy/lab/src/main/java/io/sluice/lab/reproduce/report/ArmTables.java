package io.sluice.lab.reproduce.report;

import io.sluice.lab.reproduce.claim.Outcome;
import io.sluice.lab.reproduce.claim.Results;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * All arms of an experiment by all measures. Measures with the same word before their slash are a
 * table, such as {@code test_loss}, those without a slash one of their own.
 */
final class ArmTables {
  private ArmTables() {}

  static List<Table> of(Results results, String experiment) {
    SortedMap<String, List<String>> groups = new TreeMap<>();
    for (String measure : results.measures(experiment)) {
      if (measure.startsWith(Results.UNLEARNED)) {
        continue;
      }
      int slash = measure.indexOf('/');
      groups
          .computeIfAbsent(slash < 0 ? "" : measure.substring(0, slash), name -> new ArrayList<>())
          .add(measure);
    }
    ArmSummary summary = new ArmSummary(results, experiment);
    List<Table> tables = new ArrayList<>();
    groups.forEach(
        (group, measures) -> tables.add(table(group, measures, results.arms(experiment), summary)));
    return tables;
  }

  private static Table table(
      String group,
      List<String> measures,
      SortedMap<String, SortedMap<Long, Outcome>> arms,
      ArmSummary summary) {
    List<String> head = new ArrayList<>(List.of("arm", "seeds"));
    for (String measure : measures) {
      head.add(group.isEmpty() ? measure : measure.substring(group.length() + 1));
    }
    List<List<String>> rows = new ArrayList<>();
    for (Map.Entry<String, SortedMap<Long, Outcome>> arm : arms.entrySet()) {
      List<String> row = new ArrayList<>(List.of(arm.getKey(), finished(arm.getValue())));
      measures.forEach(measure -> row.add(summary.cell(arm.getKey(), measure)));
      rows.add(row);
    }
    List<String> unlearned = new ArrayList<>(List.of("without learning", ""));
    measures.forEach(measure -> unlearned.add(summary.unlearned(measure)));
    if (unlearned.stream().skip(2).anyMatch(cell -> !cell.equals(ArmSummary.NONE))) {
      rows.add(unlearned);
    }
    return new Table(group.isEmpty() ? "other measures" : group, head, rows);
  }

  private static String finished(SortedMap<Long, Outcome> seeds) {
    long finished = seeds.values().stream().filter(Outcome.Finished.class::isInstance).count();
    return finished == seeds.size() ? "" + finished : finished + " of " + seeds.size();
  }
}
