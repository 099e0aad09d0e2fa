package io.sluice.refine.classify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Real texts: the files of this repository, of which some are learned from and others told. */
final class RepositoryTextTest {
  private static final Path ROOT = Path.of("../..");

  /** Folders that lie in a checkout whether or not anything was built or run there. */
  private static final Map<String, List<String>> FOLDERS =
      Map.of(
          "java", List.of("flink-jobs/mixture/src", "flink-jobs/control/src"),
          "python", List.of("trainer-bridge/python"),
          "markdown", List.of("docs"),
          "avro", List.of("schemas/src"));

  /** Texts of a label, so that the test is fast. */
  private static final int MOST = 120;

  private static final Map<String, String> ENDINGS =
      Map.of("java", ".java", "python", ".py", "markdown", ".md", "avro", ".avsc");

  @Test
  void tellsFourDomainsOfUnseenText() throws IOException {
    TrainingSettings settings = new TrainingSettings(1 << 18, 4_000, 2, 5, .3, 7);
    ClassifierTraining training = new ClassifierTraining(settings, FOLDERS.keySet());
    for (Map.Entry<String, List<String>> label : texts().entrySet()) {
      label.getValue().forEach(text -> training.add(label.getKey(), text));
    }

    Evaluation unseen = training.train().heldOut().orElseThrow();

    assertThat(unseen.macroF1()).as("%s", unseen).isGreaterThanOrEqualTo(.9);
    assertThat(unseen.labels()).allSatisfy(score -> assertThat(score.texts()).isPositive());
  }

  private static Map<String, List<String>> texts() throws IOException {
    Map<String, List<String>> texts = new TreeMap<>();
    for (Map.Entry<String, List<String>> label : FOLDERS.entrySet()) {
      Stream<String> all = Stream.of();
      for (String folder : label.getValue()) {
        all = Stream.concat(all, texts(ROOT.resolve(folder), ENDINGS.get(label.getKey())));
      }
      texts.put(label.getKey(), all.limit(MOST).toList());
    }
    return texts;
  }

  private static Stream<String> texts(Path folder, String ending) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      List<Path> chosen = files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
      Stream.Builder<String> texts = Stream.builder();
      for (Path file : chosen) {
        texts.add(Files.readString(file));
      }
      return texts.build();
    }
  }
}
