package io.sluice.refine.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.BadInputException;
import io.sluice.refine.cluster.ClusterModel.Fit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClusterModelTest {
  @TempDir private Path folder;

  @Test
  void isReadAsItWasWritten() {
    ClusterModel written = write(true, 1);
    ClusterModel read = ClusterModel.open(folder.resolve("m1"));

    assertThat(read.hash()).isEqualTo(written.hash()).hasSize(64);
    assertThat(read.fit()).isEqualTo(written.fit());
    assertThat(read.embedder().version()).isEqualTo(written.embedder().version());
    assertThat(read.tree().leaves()).containsExactly(written.tree().leaves());
    for (int i = 0; i < 200; i++) {
      String text = text(i);
      assertThat(read.leaf(text)).isEqualTo(written.leaf(text));
    }
    assertThat(write(true, 2).hash()).isNotEqualTo(read.hash());
  }

  @Test
  void hasTheSameBytesAgain() throws IOException {
    assertThat(write(false, 1).hash()).isEqualTo(write(false, 1, "again").hash());
    assertThat(Files.readAllBytes(folder.resolve("m1/level-2.f32")))
        .isEqualTo(Files.readAllBytes(folder.resolve("again/level-2.f32")));
  }

  @Test
  void refusesWhatIsNoTree() throws IOException {
    write(false, 1);
    refused("\"branching\" : 4", "\"branching\" : 1", "branching must be a whole number from 2");
    refused("\"branching\" : 4", "\"branching\" : 2", "children must be whole numbers from 1 to 2");
    refused("\"levels\" : 2", "\"levels\" : 3", "children of level 3 must be 16 numbers: found 0");
    refused("\"dimension\" : 32", "\"dimension\" : 64", "level-1.f32 must have 1024 bytes");
    refused("hashed-1", "other", "it must be a kind that is on the class path: found a other");
    refused("[ [ 4 ]", "[ [ 4.5 ]", "children must be whole numbers from 1 to 4: found 4.5");
    byte[] centres = Files.readAllBytes(folder.resolve("m1/level-2.f32"));
    centres[3] = 0x7f;
    centres[2] = (byte) 0xc0;
    Files.write(folder.resolve("m1/level-2.f32"), centres);
    assertRefused("coordinates of centres must be finite: found NaN");
  }

  @Test
  void readsWeightsOfFeaturesWithinTheirRange() throws IOException {
    write(true, 1);
    byte[] weights = new byte[DocumentFrequencies.PLACES * 4];
    weights[3] = (byte) 0xbf;
    weights[2] = (byte) 0x80;
    Files.write(folder.resolve("m1/embedder-idf.f32"), weights);
    assertRefused("weights of embedder-idf.f32 must be from 0 to 64: found -1.0");
  }

  private void refused(String part, String other, String reason) throws IOException {
    Path json = folder.resolve("m1/model.json");
    String before = Files.readString(json);
    assertThat(before).contains(part);
    Files.writeString(json, before.replace(part, other));
    assertRefused(reason);
    Files.writeString(json, before);
  }

  private void assertRefused(String reason) {
    assertThatThrownBy(() -> ClusterModel.open(folder.resolve("m1")))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining(reason);
  }

  private ClusterModel write(boolean weighted, long seed) {
    return write(weighted, seed, "m" + seed);
  }

  private ClusterModel write(boolean weighted, long seed, String name) {
    DocumentFrequencies frequencies = new DocumentFrequencies(1000);
    for (int i = 0; i < 200; i++) {
      frequencies.add(text(i));
    }
    HashedEmbedder embedder =
        weighted ? frequencies.embedder(32) : HashedEmbedder.unweighted(32, 1000);
    float[][] vectors = new float[200][];
    for (int i = 0; i < vectors.length; i++) {
      vectors[i] = embedder.embed(text(i));
    }
    Hierarchy fit = Hierarchy.fit(vectors, 4, 2, seed, level -> {});
    return ClusterModel.write(
        folder.resolve(name), fit.tree(), embedder, new Fit(200, 200, fit.levels()));
  }

  private static String text(int i) {
    return "topic" + i % 7 + " and word" + i % 11 + " of text " + i;
  }
}
