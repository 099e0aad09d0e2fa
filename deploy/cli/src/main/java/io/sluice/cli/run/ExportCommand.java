package io.sluice.cli.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.sluice.cli.audit.FetchedObjects;
import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.cli.run.course.BundleReport;
import io.sluice.cli.run.course.RecordedSection;
import io.sluice.control.bundle.BundleExport;
import io.sluice.control.bundle.BundleFile;
import io.sluice.control.error.BadInputException;
import io.sluice.control.history.RunHistory;
import io.sluice.control.runs.RunAdmin;
import io.sluice.control.wire.RunField;
import io.sluice.control.wire.RunFields;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.BatchSize;
import io.sluice.schema.RowLength;
import io.sluice.schema.RunSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sluice run export}. */
@Command(
    name = "export",
    description = {
      "Write a run's settings, as they are now, as a file that 'run apply' reads.",
      "With --bundle, write instead all that repeats the run on another broker that has the same data"
          + " prepared: 'run apply --from' does."
    })
public final class ExportCommand extends CliCommand {
  private static final YAMLMapper YAML =
      YAMLMapper.builder().disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER).build();

  @Parameters(paramLabel = "RUN", description = "Its name.")
  private String run = "";

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Where to write. Default: standard output.")
  private @Nullable Path output;

  @Option(
      names = "--as-recorded",
      description =
          "Write instead a section 'policy' that repeats the weights which the run had, for the file"
              + " of another run. Of what was rewound, what stands.")
  private boolean recorded;

  @Option(
      names = "--steps",
      paramLabel = "N",
      description =
          "With --as-recorded, stretch the course to so many batches. Default: those that the run"
              + " has granted.")
  private @Nullable Long steps;

  @Option(
      names = "--average",
      description =
          "With --as-recorded, the mean of the weights over all batches, in place of their course.")
  private boolean average;

  @Option(
      names = "--bundle",
      paramLabel = "FILE",
      description =
          "Write to it instead the run's specification and all later changes, its grants, the reports"
              + " that were accepted, fingerprints of its data, and digests of every batch.")
  private @Nullable Path bundle;

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    if (!recorded && (average || steps != null)) {
      throw misused("--steps and --average must come with --as-recorded");
    }
    if (bundle != null && (recorded || output != null)) {
      throw misused("--bundle must come without --output and --as-recorded");
    }
    if (bundle != null) {
      write(bundle);
      return;
    }
    Map<String, Object> settings =
        recorded
            ? section(RecordedSection.of(RunHistory.read(access(), run)))
            : settings(RunAdmin.of(access(), 0).require(run).spec());
    json.write(settings);
    String text = written(settings);
    if (output == null) {
      out().print(text);
      out().flush();
      return;
    }
    try {
      Files.writeString(output, text);
    } catch (IOException e) {
      throw new BadInputException("--output must be a file that can be written: " + e, e);
    }
  }

  private void write(Path file) {
    try (FetchedObjects fetched = FetchedObjects.in(global().home(), this::notice)) {
      BundleFile written =
          new BundleExport(access(), spec().root().version()[0], fetched).write(run, file);
      BundleReport report = BundleReport.of(written, file);
      json.write(report);
      print(report.lines());
    }
  }

  private Map<String, Object> section(RecordedSection course) {
    Map<String, Object> settings =
        average ? course.average() : course.stretched(steps == null ? course.batches() : steps);
    return Map.of("policy", Map.of("recorded", settings));
  }

  /** The file that comes to this specification. */
  public static String yaml(RunSpec spec) {
    return written(settings(spec));
  }

  /** The same, by its keys. */
  static Map<String, Object> settings(RunSpec spec) {
    Map<String, Object> file = new LinkedHashMap<>();
    file.put("run", spec.getRun());
    file.put("dataset", spec.getDataset());
    file.put("batch", batch(spec.getBatchSizes()));
    if (!spec.getRowLengths().isEmpty()) {
      file.put("sequence-length", rowLengths(spec.getRowLengths()));
    }
    file.put("initial-weights", byDomain(spec, spec.getInitialWeights()));
    file.put("policy", policy(spec));
    if (!spec.getSmoothing().isEmpty()) {
      file.put("smoothing", new TreeMap<>(spec.getSmoothing()));
    }
    file.put("when-ended", whenEnded(spec));
    Map<String, Map<String, Object>> sections = new TreeMap<>();
    for (RunField<?> field : RunFields.ALL) {
      String key = field.option().key();
      int dot = key.indexOf('.');
      Map<String, Object> section =
          dot < 0
              ? file
              : sections.computeIfAbsent(key.substring(0, dot), name -> new LinkedHashMap<>());
      section.put(key.substring(dot + 1), field.written(spec));
    }
    file.putAll(sections);
    return file;
  }

  private static String written(Map<String, Object> file) {
    try {
      return YAML.writeValueAsString(file);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a run's settings are plain", e);
    }
  }

  private static Object batch(List<BatchSize> sizes) {
    if (sizes.size() == 1) {
      return sizes.get(0).getSequences() + " sequences";
    }
    return sizes.stream()
        .map(
            size -> Map.of("from", size.getFromBatch(), "size", size.getSequences() + " sequences"))
        .toList();
  }

  private static Object rowLengths(List<RowLength> lengths) {
    return lengths.stream()
        .map(each -> Map.of("from", each.getFromBatch(), "length", each.getLabels()))
        .toList();
  }

  private static Map<String, Object> byDomain(RunSpec spec, List<Long> values) {
    Map<String, Object> named = new LinkedHashMap<>();
    for (int i = 0; i < values.size(); i++) {
      named.put(spec.getDomains().get(i), (double) values.get(i) / Weights.UNIT);
    }
    return named;
  }

  private static Object policy(RunSpec spec) {
    // A dotted key is read like the sections that it stands for.
    Map<String, Object> settings = new TreeMap<>(spec.getPolicySettings());
    if (spec.getUpdateEvery() > 0) {
      settings.put("every", spec.getUpdateEvery());
    }
    return settings.isEmpty() ? spec.getPolicy() : Map.of(spec.getPolicy(), settings);
  }

  private static Map<String, Object> whenEnded(RunSpec spec) {
    Map<String, Object> choices = new LinkedHashMap<>();
    for (int i = 0; i < spec.getEpochs().size(); i++) {
      int epochs = spec.getEpochs().get(i);
      choices.put(
          spec.getDomains().get(i),
          epochs == 0 ? "stop" : epochs == 1 ? "redistribute" : Map.of("repeat", epochs));
    }
    return choices;
  }
}
