package io.sluice.lab.reproduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sluice.control.error.BadInputException;
import io.sluice.lab.reproduce.arm.Arm;
import io.sluice.lab.reproduce.arm.Mixture;
import io.sluice.lab.reproduce.arm.Scale;
import io.sluice.lab.reproduce.arm.Texts;
import io.sluice.lab.reproduce.arm.Trial;
import io.sluice.lab.reproduce.claim.Claims;
import io.sluice.lab.reproduce.claim.Outcome;
import io.sluice.lab.reproduce.claim.Results;
import io.sluice.lab.reproduce.corpus.Library;
import io.sluice.lab.reproduce.corpus.Passage;
import io.sluice.lab.reproduce.corpus.ProjectLibrary;
import io.sluice.lab.reproduce.corpus.SampledTexts;
import io.sluice.lab.reproduce.corpus.SampledTexts.Amounts;
import io.sluice.lab.reproduce.experiment.Experiment;
import io.sluice.lab.reproduce.experiment.Judged;
import io.sluice.lab.reproduce.report.Report;
import io.sluice.lab.reproduce.report.ReportFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** A small experiment with real text, a real service and real trainers. */
@EnabledIfSystemProperty(named = "sluice.full", matches = "true")
final class ReproductionIT {
  private static final String PROJECT = "../..";

  @TempDir Path directory;

  @Test
  void equalRunsHaveEqualReportsAndWhatHasEndedIsNotRunAgain() throws Exception {
    List<String> said = Collections.synchronizedList(new ArrayList<>());
    Results first = run(directory.resolve("first"), said);
    for (String arm : List.of("uniform", "moved", "aligned", "average", "tuned")) {
      SortedMap<Long, Outcome> seeds = first.seeds("small", arm);
      assertThat(seeds.get(1L)).as(arm + said).isInstanceOf(Outcome.Finished.class);
      Outcome.Finished finished = (Outcome.Finished) seeds.get(1L);
      assertThat(finished.measures()).containsEntry("sequences", 80.0);
      assertThat(finished.courses()).containsKeys("weight/prose", "loss/main");
    }
    // By how much depends on the project's texts: it may be too little for another sequence.
    assertThat(values(first, "moved", "weight/main").get(1L)).isNotEqualTo(.5);
    assertThat(values(first, "aligned")).isNotEqualTo(values(first, "uniform"));
    assertThat(values(first, "tuned", "weight/main").get(1L)).isEqualTo(.25);

    assertThat(report(run(directory.resolve("second"), said))).isEqualTo(report(first));

    Path log = directory.resolve("first/small-20-project/1/moved.log");
    String trained = Files.readString(log);
    assertThat(report(run(directory.resolve("first"), said))).isEqualTo(report(first));
    assertThat(log).hasContent(trained);

    Files.delete(directory.resolve("first/small-20-project/1/average.json"));
    assertThat(report(run(directory.resolve("first"), said))).isEqualTo(report(first));

    Path other = directory.resolve("first/small-20-project/1/uniform.run.yaml");
    Files.writeString(other, Files.readString(other).replace("0.5", "0.4"));
    assertThatExceptionOfType(BadInputException.class)
        .isThrownBy(() -> run(directory.resolve("first"), said))
        .withMessageContaining("ran with other settings: " + other);
  }

  private static Map<Long, Double> values(Results results, String arm) {
    return values(results, arm, "loss");
  }

  private static Map<Long, Double> values(Results results, String arm, String measure) {
    return results.values("small", arm, measure);
  }

  private Results run(Path folder, List<String> said) throws InterruptedException {
    Results.Builder results = Results.builder();
    ReproductionSettings settings = new ReproductionSettings(1, 1, folder, "cpu", 2);
    new Reproduction(
            new Small(),
            settings,
            new ProjectLibrary(Path.of(PROJECT)),
            Claims.ofPapers(),
            said::add,
            System::nanoTime)
        .run(results);
    return results.build();
  }

  private String report(Results results) throws IOException {
    Path folder = directory.resolve("report");
    ReportFiles.write(Report.of("small", Claims.ofPapers(), results, Map.of(), Map.of()), folder);
    return Files.readString(folder.resolve(ReportFiles.JSON));
  }

  /** Two domains of this project's files, and a policy of each kind. */
  private static final class Small implements Experiment {
    @Override
    public String name() {
      return "small";
    }

    @Override
    public List<String> departures() {
      return List.of();
    }

    @Override
    public Scale scale() {
      return new Scale(1, 16, 2, 32, 4, 20, 5, 128, 64, 1e-2);
    }

    @Override
    public Optional<Trial> tuning(Library library, Scale scale) {
      Arm tried = Arm.of("tried", 20, Mixture.fixed(Map.of("prose", .75, "main", .25))).unjudged();
      return Optional.of(trial("tuning", 0, library, List.of(tried)));
    }

    @Override
    public List<Trial> trials(long seed, Library library, Scale scale) {
      Map<String, Double> uniform = Map.of("prose", .5, "main", .5);
      List<Arm> arms =
          List.of(
              Arm.of("base", 20, Mixture.fixed(Map.of("prose", 1.0, "main", 0.0))).unjudged(),
              Arm.of("uniform", 20, Mixture.fixed(uniform)).on("base"),
              Arm.of(
                      "moved",
                      20,
                      Mixture.moved(
                          uniform, "velocitune", Map.of("every", 5, "target-fraction", .5)))
                  .on("base"),
              Arm.of(
                      "aligned",
                      20,
                      Mixture.moved(uniform, "dga", Map.of("every", 5, "target", List.of("main"))))
                  .on("base"),
              Arm.of("average", 20, Mixture.fixed(uniform))
                  .on("base")
                  .after(
                      List.of("moved"), ended -> Mixture.fixed(ended.of("moved").averageWeights())),
              Arm.of("tuned", 20, Mixture.fixed(uniform))
                  .on("base")
                  .after(List.of(), ended -> Mixture.fixed(ended.tuned("tried").lastWeights())));
      return List.of(trial("", seed, library, arms));
    }

    private static Trial trial(String name, long seed, Library library, List<Arm> arms) {
      Map<String, Amounts> amounts = new LinkedHashMap<>();
      List.of("prose", "main").forEach(each -> amounts.put(each, new Amounts(4_000, 0, 30_000)));
      Map<String, List<Passage>> training = new LinkedHashMap<>();
      Map<String, List<Passage>> test = new LinkedHashMap<>();
      SampledTexts.draw(library, amounts, seed)
          .forEach(
              (domain, texts) -> {
                training.put(domain, texts.train());
                test.put(domain, texts.test());
              });
      return new Trial(name, seed, Texts.training(training, 2048), Texts.test(test), arms);
    }

    @Override
    public Map<String, Double> measures(Judged judged) {
      return Map.of(
          "weight/main",
          judged.outcome().lastWeights().get("main"),
          "sequences",
          judged.outcome().sequences().values().stream().mapToDouble(d -> d).sum());
    }

    @Override
    public Map<String, Double> tested(Judged judged) {
      return Map.of(
          "loss", judged.outcome().test().losses().values().stream().mapToDouble(d -> d).sum());
    }
  }
}
