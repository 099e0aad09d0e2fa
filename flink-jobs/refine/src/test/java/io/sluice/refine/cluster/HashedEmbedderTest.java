package io.sluice.refine.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class HashedEmbedderTest {
  private static final String SEA = "The ship sailed over the sea, and the sea was calm that day.";
  private static final String SHIP =
      "A ship sails on a calm sea; the sea is wide, the day is long.";
  private static final String CODE =
      "for (int i = 0; i < n; i++) { sum += values[i] * weights[i]; }";

  private final HashedEmbedder embedder = HashedEmbedder.unweighted(256, 4096);

  @Test
  void vectorsHaveLengthOneAndAreNearWhereTextsAreAlike() {
    float[] sea = embedder.embed(SEA);

    assertThat(product(sea, sea)).isCloseTo(1, within(1e-6));
    assertThat(product(sea, embedder.embed(SHIP)))
        .isGreaterThan(0.15 + product(sea, embedder.embed(CODE)));
    assertThat(embedder.embed(SEA)).containsExactly(sea);
    assertThat(embedder.embed("")).containsOnly(0);
  }

  @Test
  void innerProductsDoNotDependOnTheDimension() {
    HashedEmbedder wide = HashedEmbedder.unweighted(1024, 4096);
    double expected = product(wide.embed(SEA), wide.embed(SHIP));

    assertThat(product(embedder.embed(SEA), embedder.embed(SHIP))).isCloseTo(expected, within(0.2));
  }

  @Test
  void onlyTheBeginningCounts() {
    HashedEmbedder brief = HashedEmbedder.unweighted(64, SEA.length());

    assertThat(brief.embed(SEA + CODE)).containsExactly(brief.embed(SEA));
    assertThat(embedder.embed(SEA + CODE)).isNotEqualTo(embedder.embed(SEA));
  }

  @Test
  void whatAllTextsHaveCountsLittle() {
    DocumentFrequencies frequencies = new DocumentFrequencies(4096);
    String head = "Licensed under the Apache License, Version 2.0, to whom it may concern. ";
    for (int i = 0; i < 100; i++) {
      frequencies.add(head + "text" + i);
    }
    HashedEmbedder weighted = frequencies.embedder(256);

    assertThat(product(weighted.embed(head + SEA), weighted.embed(head + CODE)))
        .isLessThan(product(embedder.embed(head + SEA), embedder.embed(head + CODE)) - 0.2);
    assertThat(weighted.version())
        .startsWith("hashed-1/256/4096/")
        .isNotEqualTo(embedder.version());
    assertThat(frequencies.embedder(256).version()).isEqualTo(weighted.version());
  }

  @Test
  void anyTextHasAVector() {
    for (String text : new String[] {"\ud800", " \t\n", "\u0000\u0000\u0000\u0000", "数据", "a"}) {
      float[] vector = embedder.embed(text);
      double square = product(vector, vector);
      assertThat(square == 0 || Math.abs(square - 1) < 1e-6).isTrue();
    }
  }

  @Test
  void refusesSizesOutOfRange() {
    assertThatThrownBy(() -> HashedEmbedder.unweighted(1025, 1))
        .hasMessage("dimension must be a whole number from 1 to 1024: found 1025");
    assertThatThrownBy(() -> new DocumentFrequencies(0))
        .hasMessage("characters must be a whole number from 1 to 1048576: found 0");
    assertThatThrownBy(() -> embedder.embed(SEA, new float[3]))
        .hasMessage("a vector must have 256 coordinates: found 3");
  }

  private static double product(float[] a, float[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }
}
