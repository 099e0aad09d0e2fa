package io.sluice.schema.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.segment.CacheFolder.Answer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class CacheFolderTest {
  @Test
  void aWordHasNoSpacesAndIsOfOneStore() {
    assertThat(CacheFolder.word(SegmentStore.of("s3://bucket/team"))).isEqualTo("s3://bucket/team");
    assertThat(CacheFolder.word(SegmentStore.of("file:///a b%20\u00e9\u0085")))
        .isEqualTo("file:///a%20b%2520\u00e9%C2%85");
  }

  @Test
  void anObjectHasOnePlaceInEachStore() {
    String object = SegmentStore.rows("books", "ab".repeat(32));
    assertThat(CacheFolder.place(SegmentStore.of("s3://bucket/team"), object))
        .isEqualTo("objects/6a3ad43f9a264efb/" + object)
        .isNotEqualTo(CacheFolder.place(SegmentStore.of("s3://bucket/teams"), object));
    assertThat(new CacheFolder(Path.of("/c")).socket()).isEqualTo(Path.of("/c/socket"));
    assertThat(Answer.FULL.line("of it")).isEqualTo("full of it");
    assertThat(Answer.OK.line("")).isEqualTo("ok");
  }
}
