package io.sluice.schema.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SegmentStoreTest {
  private static final String NAME =
      "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef.rows";

  @Test
  void isAFolderWhoseObjectsAreNamedByTheirContent() {
    SegmentStore store = SegmentStore.of("file:///data/segments of 50%");
    assertThat(store.folder()).isEqualTo(Path.of("/data/segments of 50%"));
    String rows = SegmentStore.rows("d", "0f".repeat(32));
    assertThat(store.file(rows))
        .isEqualTo(Path.of("/data/segments of 50%/d/" + "0f".repeat(32) + ".rows"));
    assertThat(store.file(SegmentStore.side("d", "0f".repeat(32))).toString()).endsWith(".side");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "d", "/etc/passwd", "../d/" + NAME, "d/../" + NAME, "d/" + NAME + "x", NAME})
  void hasNoObjectOfAnotherName(String object) {
    assertThatThrownBy(() -> SegmentStore.of("file:///s").file(object))
        .hasMessage(
            "an object must be called DATASET/SHA256.rows or .side: found '" + object + "'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "/data", "file:data", "file://host/data/../x", "file:///a/../b", "file://a"})
  void isNothingElse(String uri) {
    assertThatThrownBy(() -> SegmentStore.of(uri))
        .hasMessage("store must be file:///ABSOLUTE/PATH without '..': found '" + uri + "'");
  }

  @Test
  void isNoObjectStoreYet() {
    assertThatThrownBy(() -> SegmentStore.of("s3://bucket/prefix"))
        .hasMessage(
            "store must be file:///ABSOLUTE/PATH without '..'; object stores cannot be one yet:"
                + " found 's3://bucket/prefix'");
  }
}
