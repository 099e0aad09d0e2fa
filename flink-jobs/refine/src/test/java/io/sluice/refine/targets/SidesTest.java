package io.sluice.refine.targets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sluice.control.error.BadInputException;
import io.sluice.refine.twin.Signature;
import io.sluice.refine.twin.SignatureScheme;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class SidesTest {
  private static final SignatureScheme SCHEME = SignatureScheme.DEFAULT;

  @Test
  void aShareOfTheDocumentsTests() {
    Sides sides = new Sides(1, 0.3);
    Sides others = new Sides(2, 0.3);
    int tests = 0;
    int both = 0;
    for (int i = 0; i < 5_000; i++) {
      Signature document = SCHEME.sign("document " + i);
      boolean test = sides.of(document) == Side.TESTS;
      tests += test ? 1 : 0;
      both += test && others.of(document) == Side.TESTS ? 1 : 0;
      assertThat(new Sides(1, 0).of(document)).isEqualTo(Side.STEERS);
      assertThat(new Sides(1, 1).of(document)).isEqualTo(Side.TESTS);
    }
    assertThat(tests / 5_000.0).isCloseTo(0.3, within(0.02));
    assertThat(both / 5_000.0).isCloseTo(0.09, within(0.02));
  }

  @Test
  void theSideDependsOnTheDocumentAlone() {
    List<String> documents = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      documents.add("document " + i);
    }
    Map<String, Side> forward = sides(documents);
    Collections.shuffle(documents, new Random(1));

    assertThat(sides(documents)).isEqualTo(forward).containsValues(Side.STEERS, Side.TESTS);
  }

  @Test
  void refusesWhatIsNoShare() {
    assertThatThrownBy(() -> new Sides(1, 1.5))
        .isInstanceOf(BadInputException.class)
        .hasMessage("the share of documents that test must be 0 to 1: found 1.5");
    assertThatThrownBy(() -> new Sides(1, Double.NaN)).isInstanceOf(BadInputException.class);
  }

  private static Map<String, Side> sides(List<String> documents) {
    Sides sides = new Sides(7, 0.5);
    Map<String, Side> found = new TreeMap<>();
    documents.forEach(document -> found.put(document, sides.of(SCHEME.sign(document))));
    return found;
  }
}
