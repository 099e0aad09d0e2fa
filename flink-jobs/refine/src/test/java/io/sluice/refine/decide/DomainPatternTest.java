package io.sluice.refine.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.BadInputException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class DomainPatternTest {
  @Test
  void namesAreEveryValueOfEveryPlace() {
    DomainPattern pattern = new DomainPattern("{input}-x-{topic}");

    assertThat(pattern.places()).containsExactly("input", "topic");
    assertThat(pattern.names(Map.of("input", List.of("a", "b"), "topic", List.of("1", "2"))))
        .containsExactly("a-x-1", "a-x-2", "b-x-1", "b-x-2");
    assertThat(pattern.name(place -> place.equals("input") ? "a" : "$1")).isEqualTo("a-x-$1");
  }

  @Test
  void aPatternWithoutPlacesIsOneName() {
    assertThat(new DomainPattern("clean").names(Map.of())).containsExactly("clean");
  }

  @Test
  void namesMustBeThoseOfDomains() {
    assertThatThrownBy(() -> new DomainPattern("a.{topic}").names(Map.of("topic", List.of("b"))))
        .isInstanceOf(BadInputException.class)
        .hasMessageStartingWith("domains: 'a.{topic}': domain must be 1 to 63 letters");
  }

  @Test
  void bracesComeInPairs() {
    assertThatThrownBy(() -> new DomainPattern("v-{topic"))
        .isInstanceOf(BadInputException.class)
        .hasMessage(
            "domains must have each place between { and }, in small letters: found 'v-{topic'");
  }

  @Test
  void namesAreBounded() {
    List<String> many = IntStream.range(0, 65).mapToObj(Integer::toString).toList();

    assertThatThrownBy(
            () ->
                new DomainPattern("{topic}-{cluster}")
                    .names(Map.of("topic", many, "cluster", many)))
        .isInstanceOf(BadInputException.class)
        .hasMessage("domains must come to at most 4096 names: '{topic}-{cluster}' has more");
  }
}
