package io.sluice.refine.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.BadInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ModelDirectoryTest {
  @TempDir private Path folder;

  @Test
  void isReadAsItWasWritten() {
    ModelDirectory written = write("m", 3, 7);
    ModelDirectory read = ModelDirectory.open(folder.resolve("m"), "test", 100);

    assertThat(read.hash()).isEqualTo(written.hash()).hasSize(64);
    assertThat(read.number("size", 1, 9)).isEqualTo(3);
    assertThat(read.file("weights.bin", 2)).containsExactly(1, 7);
    assertThat(folder.resolve("m.unfinished")).doesNotExist();
  }

  @Test
  void hashIsOfParametersAndFiles() {
    assertThat(write("a", 3, 7).hash())
        .isEqualTo(write("b", 3, 7).hash())
        .isNotEqualTo(write("c", 4, 7).hash())
        .isNotEqualTo(write("d", 3, 8).hash());
  }

  @Test
  void refusesWhatIsThere() throws IOException {
    write("m", 3, 7);

    assertThatThrownBy(() -> write("m", 3, 8))
        .isInstanceOf(BadInputException.class)
        .hasMessage("the model's directory must not be there yet: " + folder.resolve("m"));
    assertThat(folder.resolve("m.unfinished")).doesNotExist();
    assertThat(ModelDirectory.open(folder.resolve("m"), 100).file("weights.bin", 2)[1])
        .isEqualTo((byte) 7);
    Files.createDirectory(folder.resolve("empty"));
    write("empty", 1, 1);
  }

  @Test
  void refusesWhatIsNoModelOfTheKind() throws IOException {
    write("m", 3, 7);
    Path model = folder.resolve("m");

    assertRefused(() -> ModelDirectory.open(model, "other", 100), "must be a other: found a test");
    assertRefused(
        () -> ModelDirectory.open(model, "test", 1), "at most 1 bytes: weights.bin has 2");
    assertRefused(() -> ModelDirectory.open(folder.resolve("none"), 9), "has no model.json");
    ModelDirectory read = ModelDirectory.open(model, "test", 100);
    assertRefused(
        () -> read.number("size", 4, 9), "size must be a whole number from 4 to 9: found 3");
    assertRefused(() -> read.number("none", 4, 9), "none must be a whole number");
    assertRefused(() -> read.file("other.bin", 2), "other.bin is missing");
    assertRefused(() -> read.file("weights.bin", 3), "weights.bin must have 3 bytes: found 2");
    Files.writeString(model.resolve("model.json"), "{\"kind\": \"test\", \"kind\": \"test\"}");
    assertRefused(() -> ModelDirectory.open(model, 100), "must be JSON");
    Files.writeString(model.resolve("model.json"), "[]");
    assertRefused(() -> ModelDirectory.open(model, 100), "must be a map with a text 'kind'");
  }

  private static void assertRefused(Runnable opening, String reason) {
    assertThatThrownBy(opening::run)
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining(reason);
  }

  private ModelDirectory write(String name, int size, int weight) {
    return ModelDirectory.write(
        folder.resolve(name),
        "test",
        ModelDirectory.parameters().put("size", size),
        Map.of("weights.bin", new byte[] {1, (byte) weight}));
  }
}
