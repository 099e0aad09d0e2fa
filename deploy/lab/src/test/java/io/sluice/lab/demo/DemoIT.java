package io.sluice.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.schema.Topics;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo itself, small: real broker, real jobs, a real model, and the same losses again. */
class DemoIT {
  private static final String VELOCITUNE = "velocitune";

  @TempDir private Path directory;

  @Test
  void trainsOnWhatItMixesAndGivesTheSameMixtureForTheSameLosses() throws IOException {
    Path corpus = corpus();
    JsonNode trained = demo(corpus, VELOCITUNE, Optional.empty(), "trained.json");
    assertThat(trained.get("audit").get("passed").booleanValue()).isTrue();
    assertThat(trained.get("audit").get("sequences").intValue()).isEqualTo(12 * 8);
    assertThat(trained.get("tokens").longValue()).isEqualTo(12 * 8 * 32);
    assertThat(trained.get("versions").intValue()).isEqualTo(3);
    for (JsonNode round : trained.get("rounds")) {
      assertThat(round.get("firstBatch").longValue()).isEqualTo(round.get("step").longValue() + 2);
    }
    JsonNode losses = trained.get("evalLoss");
    assertThat(losses).hasSize(4);
    for (String domain : new String[] {"sums", "words"}) {
      assertThat(losses.get(3).get("loss").get(domain).doubleValue())
          .isLessThan(losses.get(0).get("loss").get(domain).doubleValue());
    }
    JsonNode replayed =
        demo(corpus, VELOCITUNE, Optional.of(directory.resolve("trained.json")), "replayed.json");
    for (String key :
        new String[] {"weights", "rounds", "composition", "evalLoss", "streamDigest"}) {
      assertThat(replayed.get(key)).as(key).isEqualTo(trained.get(key));
    }
  }

  @Test
  void mixesATreeOfGroupsInTwoStages() throws IOException {
    JsonNode mixed = demo(corpus(), "tree", Optional.empty(), "tree.json");
    assertThat(mixed.get("audit").get("passed").booleanValue()).isTrue();
    assertThat(mixed.get("versions").intValue()).isEqualTo(3);
    List<Double> words = new ArrayList<>();
    for (JsonNode version : mixed.get("weights")) {
      words.add(version.get("weights").get("words").doubleValue());
    }
    assertThat(words.get(0)).isEqualTo(.5, within(1e-6));
    assertThat(words.get(words.size() - 1)).isEqualTo(.75, within(1e-6));
  }

  private Path corpus() throws IOException {
    Path corpus = directory.resolve("corpus");
    write(corpus.resolve("words/a.txt"), "the quick brown fox jumps over the lazy dog\n");
    write(corpus.resolve("sums/b.txt"), "1 + 2 = 3\n40 + 2 = 42\n7 - 9 = -2\n");
    return corpus;
  }

  private JsonNode demo(Path corpus, String policy, Optional<Path> replay, String json)
      throws IOException {
    DemoSettings settings =
        new DemoSettings(
            directory,
            directory.resolve("state"),
            0,
            Optional.of(corpus),
            policy,
            12,
            8,
            32,
            4,
            1,
            policy.equals(VELOCITUNE) ? Map.of("target-fraction", "0.5") : Map.of(),
            List.of(),
            1,
            7,
            replay);
    PrintStream silent = new PrintStream(OutputStream.nullOutputStream(), true);
    Display display = new Display(silent, false, System::nanoTime);
    DemoReport report = new Demo(settings, display, Topics.standard()).run();
    Files.writeString(directory.resolve(json), report.json().toPrettyString());
    return new ObjectMapper().readTree(directory.resolve(json).toFile());
  }

  private static void write(Path file, String line) throws IOException {
    Files.createDirectories(file.getParent());
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 1000; i++) {
      text.append(i).append(' ').append(line);
    }
    Files.writeString(file, text);
  }
}
