package io.sluice.cli.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.config.ConfigFile;
import io.sluice.control.error.BadInputException;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.segment.InPlace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InPlaceSourcesTest {
  private static final String STORE = "store: file:///data/segments\n";

  private static DatasetSpec resolve(String sources, String more) {
    String yaml =
        "dataset: small\nsequence-length: 256 tokens\ndomains: [wiki, code]\nsources: ["
            + sources
            + "]\n"
            + more;
    return DatasetFile.resolve(ConfigFile.parse("dataset.yaml", yaml), "dataset.yaml");
  }

  @Test
  void aDomainIsInPlaceOrPrepared() {
    DatasetSpec spec =
        resolve(
            "{path: /data/a.idx, in-place: true, domain: code}, {path: wiki, domain: wiki}", STORE);
    assertThat(InPlace.domains(spec)).containsExactly("code");
    assertThat(InPlace.without(spec).getDomains()).containsExactly("wiki");
    assertThat(InPlace.sources(spec, "code")).hasSize(1);
    assertThat(InPlace.sources(spec, "wiki")).isEmpty();
    assertThat(DatasetView.of(spec).get("sources").toString()).contains("in-place=true");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{path: a, in-place: true, domain: folder}|sources[0].domain must be a domain's name",
        "{path: 's3://b/a', in-place: true, domain: code}|sources[0].path must be of this machine's",
        "{topic: a, in-place: true, domain: code}|sources[0].path must be given",
        "{path: a, in-place: true, by-reference: true, domain: code}|sources[0].by-reference must be",
        "{path: a, in-place: true, format: text, domain: code}|sources[0].format must be auto",
        "'{path: a, in-place: true, domain: code}, {path: b, domain: code}'|sources[1].in-place must"
            + " be true, as for every source of a domain that is in place",
        "'{path: a, in-place: true, domain: code}, {path: b, domain: {folder: {x: code}}}'|"
            + "sources[1].in-place must be true"
      })
  void aSourceThatCannotBeInPlaceIsNamed(String sources, String message) {
    assertThatThrownBy(() -> resolve(sources, STORE))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining("dataset.yaml: " + message);
  }

  @Test
  void itsIndexNeedsAStore() {
    assertThatThrownBy(() -> resolve("{path: a, in-place: true, domain: code}", ""))
        .hasMessage("dataset.yaml: store must be given where sources are in-place: found none");
  }

  @Test
  void whatADomainIsStays() {
    DatasetSpec inPlace = resolve("{path: a, in-place: true, domain: code}", STORE);
    DatasetSpec prepared = resolve("{path: a, domain: code}", STORE);
    assertThatCode(() -> InPlaceSources.requireSame(inPlace, inPlace)).doesNotThrowAnyException();
    assertThatThrownBy(() -> InPlaceSources.requireSame(inPlace, prepared))
        .hasMessage(
            "dataset 'small' exists with domains [code] in place: found []; give it another name");
    assertThatThrownBy(() -> InPlaceSources.requireSame(prepared, inPlace))
        .hasMessageContaining("exists with domains [] in place: found [code]");
  }
}
