package io.sluice.lab.reproduce.arm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class DomainNamesTest {
  private static final DomainNames NAMES = new DomainNames("few3-", Set.of("prose", "zh"));

  @Test
  void renamesDomainsWhereverSettingsNameThem() {
    Object settings =
        Map.of(
            "velocitune",
            Map.of("every", 10, "targets", Map.of("prose", 1.5, "zh", 2)),
            "target",
            List.of("zh", "other"),
            "at",
            Map.of("20", "prose=0.5 zh=0.5 other=0"),
            "on",
            true);
    assertThat(NAMES.outer(settings))
        .isEqualTo(
            Map.of(
                "velocitune",
                Map.of("every", 10, "targets", Map.of("few3-prose", 1.5, "few3-zh", 2)),
                "target",
                List.of("few3-zh", "other"),
                "at",
                Map.of("20", "few3-prose=0.5 few3-zh=0.5 other=0"),
                "on",
                true));
  }

  @Test
  void givesTheExperimentsNamesBack() {
    assertThat(NAMES.inner(NAMES.outer("prose"))).isEqualTo("prose");
    assertThat(NAMES.inner(Map.of("few3-zh", 1))).isEqualTo(Map.of("zh", 1));
  }
}
