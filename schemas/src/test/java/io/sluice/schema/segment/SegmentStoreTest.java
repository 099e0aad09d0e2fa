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
    assertThat(store.isBucket()).isFalse();
    assertThat(store.folder()).isEqualTo(Path.of("/data/segments of 50%"));
    String rows = SegmentStore.rows("d", "0f".repeat(32));
    assertThat(store.file(rows))
        .isEqualTo(Path.of("/data/segments of 50%/d/" + "0f".repeat(32) + ".rows"));
    assertThat(store.file(SegmentStore.side("d", "0f".repeat(32))).toString()).endsWith(".side");
    assertThat(store.location(rows)).isEqualTo("file://" + store.file(rows));
    assertThat(SegmentStore.of("file:///").location(rows)).isEqualTo("file:///" + rows);
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
      strings = {
        "",
        "/data",
        "file:data",
        "file://host/data/../x",
        "file:///a/../b",
        "file://a",
        "s3://",
        "s3://b",
        "s3://bucket/",
        "s3://bucket//x",
        "s3://bucket/../x",
        "s3://bucket/a b",
        "s3://user:secret@bucket",
        "S3://bucket"
      })
  void isNothingElse(String uri) {
    assertThatThrownBy(() -> SegmentStore.of(uri))
        .hasMessageStartingWith(
            "store must be file:///ABSOLUTE/PATH without '..', or s3://BUCKET/PREFIX")
        .hasMessageEndingWith(": found '" + uri + "'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"s3://bucket", "s3://my.bucket-1/a/b_c=d.e"})
  void isABucketThatIsNoFolder(String uri) {
    SegmentStore store = SegmentStore.of(uri);
    assertThat(store.isBucket()).isTrue();
    assertThat(store.location("d/" + NAME)).isEqualTo(uri + "/d/" + NAME);
    assertThatThrownBy(() -> store.location("../" + NAME)).hasMessageContaining("be called");
    assertThatThrownBy(() -> store.file("d/" + NAME)).hasMessage(uri + " is no folder");
  }

  @Test
  void hasABoundedName() {
    String longest = "s3://bucket/" + "x".repeat(700 - 12);
    assertThat(SegmentStore.of(longest).isBucket()).isTrue();
    assertThatThrownBy(() -> SegmentStore.of(longest + "x"))
        .hasMessageContaining("at most 700 characters");
  }
}
