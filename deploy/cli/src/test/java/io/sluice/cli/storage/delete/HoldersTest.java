package io.sluice.cli.storage.delete;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.BadInputException;
import io.sluice.jobs.prepare.dataset.DatasetSettings;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.schema.DatasetSource;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.Topics;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class HoldersTest {
  private static final DatasetSpec SMALL =
      DatasetSpecs.resolve(
          new DatasetSettings("small", "bytes", 8, 1, 7, 0, List.of("wiki", "code"), 1));

  private static final Holders HOLDERS =
      new Holders(
          List.of(SMALL),
          List.of(
              new RefineSpec(
                  "clean", List.of("raw"), "clean-{input}", List.of("code"), List.of(), 1L)),
          List.of());

  @Test
  void aDomainIsNeededByDatasetsAndRefineries() {
    assertThat(HOLDERS.ofDomain("wiki")).containsExactly("dataset small");
    assertThat(HOLDERS.ofDomain("raw")).containsExactly("refinery clean, which reads it");
    assertThat(HOLDERS.ofDomain("code"))
        .containsExactly("dataset small", "refinery clean, which writes it");
    assertThat(HOLDERS.ofDomain("other")).isEmpty();
    assertThat(HOLDERS.ofDataset("small")).isEmpty();
  }

  @Test
  void aDomainInPlaceNeedsNoCorpus() {
    DatasetSource source =
        DatasetSource.newBuilder().setPath("/wiki.idx").setInPlace(true).setDomain("wiki").build();
    DatasetSpec placed = DatasetSpec.newBuilder(SMALL).setSources(List.of(source)).build();
    assertThat(new Holders(List.of(placed), List.of(), List.of()).ofDomain("wiki")).isEmpty();
  }

  @Test
  void whatIsOfAnotherPrefixIsNotDeleted() {
    assertThatNoException()
        .isThrownBy(() -> Holders.requireOwn(new Topics("a."), "dataset 'small'"));
    assertThatThrownBy(() -> Holders.requireOwn(new Topics("a.", "shared."), "dataset 'small'"))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining("dataset 'small' is of prefix 'shared.'");
  }

  @Test
  void whatWasDeletedIsSaid() {
    Deleted known = new Deleted("run", "velo", OptionalLong.of(2048), "", List.of("more"));
    assertThat(known.lines()).containsExactly("run velo is deleted: 2.0 KiB freed", "more");
    assertThat(known.view())
        .isEqualTo(Map.of("run", "velo", "bytes", 2048L, "left", List.of("more")));
    Deleted unknown = new Deleted("run", "velo", OptionalLong.empty(), "no", List.of());
    assertThat(unknown.lines())
        .containsExactly("run velo is deleted: how much that frees is not known: no");
    assertThat(unknown.view()).doesNotContainKey("bytes");
  }
}
