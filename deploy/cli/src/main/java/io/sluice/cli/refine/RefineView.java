package io.sluice.cli.refine;

import io.sluice.control.domain.CorpusEnd;
import io.sluice.refine.synthesis.live.SynthesisStep;
import io.sluice.schema.DroppedDocument;
import io.sluice.schema.RefineProgress;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.RefineStep;
import io.sluice.schema.RefinedDomain;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A refinery and its progress as people and programs read them. */
final class RefineView {
  private static final int DOMAINS_SHOWN = 64;
  private static final int NAMES_SHOWN = 16;

  private RefineView() {}

  static List<String> lines(RefineSpec spec) {
    List<String> lines = new ArrayList<>();
    lines.add("refinery: " + spec.getName());
    lines.add("inputs: " + String.join(", ", spec.getInputs()));
    List<String> names = spec.getDomains();
    lines.add(
        "domains: "
            + spec.getPattern()
            + (names.size() == 1
                ? ""
                : " ("
                    + names.size()
                    + ": "
                    + names.stream().limit(NAMES_SHOWN).collect(Collectors.joining(", "))
                    + (names.size() > NAMES_SHOWN ? ", …)" : ")")));
    for (RefineStep step : spec.getSteps()) {
      String settings =
          new TreeMap<>(step.getSettings())
              .entrySet().stream()
                  .filter(setting -> !setting.getKey().equals(SynthesisStep.TEXT))
                  .map(setting -> setting.getKey() + " " + setting.getValue())
                  .collect(Collectors.joining(", "));
      String model =
          step.getModel().isEmpty()
              ? ""
              : step.getModel() + ", " + step.getModelHash().substring(0, 16);
      lines.add(
          step.getName()
              + ": "
              + String.join("; ", List.of(model, settings)).replaceAll("^; |; $", ""));
    }
    lines.add(String.format("fingerprint: %016x", spec.getFingerprint()));
    return lines;
  }

  /**
   * How far it is.
   *
   * @param ends of the inputs, by their names
   */
  static List<String> lines(
      RefineSpec spec, Optional<RefineProgress> told, Map<String, CorpusEnd> ends) {
    if (told.isEmpty()) {
      long records = ends.values().stream().mapToLong(CorpusEnd::records).sum();
      return List.of(
          records == 0
              ? "nothing is refined yet: there is nothing in the inputs"
              : String.format(
                  Locale.ROOT,
                  "nothing is refined yet of %,d records: 'sluice up' says whether the job runs",
                  records));
    }
    RefineProgress progress = told.get();
    List<String> lines = new ArrayList<>();
    Map<String, Long> counts = new TreeMap<>(progress.getCounts());
    lines.add(
        String.format(
            Locale.ROOT,
            "records: %,d = %s%s",
            progress.getRecords(),
            counts.entrySet().stream()
                .map(
                    count -> String.format(Locale.ROOT, "%,d %s", count.getValue(), count.getKey()))
                .collect(Collectors.joining(" + ")),
            progress.getEnded() ? "; ended" : ""));
    for (int i = 0; i < spec.getInputs().size(); i++) {
      lines.add(
          String.format(
              Locale.ROOT,
              "  %s: read up to offset %,d of %,d",
              spec.getInputs().get(i),
              progress.getOffsets().get(i),
              ends.getOrDefault(spec.getInputs().get(i), CorpusEnd.EMPTY).records()));
    }
    new TreeMap<>(progress.getNotes()).forEach((step, note) -> lines.add(step + ": " + note));
    long bytes = progress.getOutputs().stream().mapToLong(RefinedDomain::getBytes).sum();
    progress.getOutputs().stream()
        .sorted(Comparator.comparingLong(RefinedDomain::getBytes).reversed())
        .limit(DOMAINS_SHOWN)
        .forEach(domain -> lines.add(line(domain, bytes)));
    int more = progress.getOutputs().size() - DOMAINS_SHOWN;
    if (more > 0) {
      lines.add("  and " + more + " more; --json has all");
    }
    return lines;
  }

  private static String line(RefinedDomain domain, long bytes) {
    return String.format(
        Locale.ROOT,
        "  %-32s %,12d documents %,10.1f MB  %.4f",
        domain.getDomain(),
        domain.getDocuments(),
        domain.getBytes() / 1e6,
        bytes == 0 ? 0 : domain.getBytes() / (double) bytes);
  }

  static String line(DroppedDocument dropped) {
    return String.format(
        Locale.ROOT,
        "dropped %s:%d %s: %s%s",
        dropped.getDomain(),
        dropped.getOffset(),
        dropped.getId(),
        dropped.getWhy(),
        dropped.getTwin().isEmpty()
            ? ""
            : String.format(
                Locale.ROOT, " of %s, %.2f", dropped.getTwin(), dropped.getSimilarity()));
  }

  static Map<String, Object> of(RefineSpec spec) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("refinery", spec.getName());
    report.put("inputs", spec.getInputs());
    report.put("pattern", spec.getPattern());
    report.put("domains", spec.getDomains());
    report.put(
        "steps",
        spec.getSteps().stream()
            .map(
                step ->
                    Map.of(
                        "step", step.getName(),
                        "model", step.getModel(),
                        "hash", step.getModelHash(),
                        "settings", new TreeMap<>(step.getSettings())))
            .toList());
    report.put("fingerprint", String.format("%016x", spec.getFingerprint()));
    return report;
  }

  static Map<String, Object> of(Optional<RefineProgress> told) {
    Map<String, Object> report = new LinkedHashMap<>();
    told.ifPresent(
        progress -> {
          report.put("records", progress.getRecords());
          report.put("counts", new TreeMap<>(progress.getCounts()));
          report.put("offsets", progress.getOffsets());
          report.put(
              "outputs",
              progress.getOutputs().stream()
                  .map(
                      domain ->
                          Map.of(
                              "domain", domain.getDomain(),
                              "documents", domain.getDocuments(),
                              "bytes", domain.getBytes()))
                  .toList());
          report.put("notes", new TreeMap<>(progress.getNotes()));
          report.put("ended", progress.getEnded());
        });
    return report;
  }

  static Map<String, Object> of(DroppedDocument dropped) {
    return Map.of(
        "domain", dropped.getDomain(),
        "offset", dropped.getOffset(),
        "id", dropped.getId(),
        "why", dropped.getWhy(),
        "twin", dropped.getTwin(),
        "similarity", dropped.getSimilarity());
  }
}
