package io.sluice.jobs.prepare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schema.DatasetSpec;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DatasetSpecsTest {
  private static final List<String> DOMAINS = List.of("java", "prose");
  private static final DatasetSettings SETTINGS =
      new DatasetSettings("demo", "bytes", 128, 64, 7, 0.05, DOMAINS);

  @Test
  void fillsInWhatTheTokenizerSays() {
    DatasetSpec spec = DatasetSpecs.resolve(SETTINGS);

    assertThat(spec.getVocabulary()).isEqualTo(258);
    assertThat(spec.getTokenWidth()).isEqualTo(2);
    assertThat(spec.getEndOfDocument()).isEqualTo(256);
    assertThat(spec.getPadding()).isEqualTo(257);
    assertThat(spec.getLanes()).isEqualTo(1);
    assertThat(spec.getDomains()).isEqualTo(DOMAINS);
  }

  @Test
  void theFingerprintIsPartOfTheFormat() {
    assertThat(DatasetSpecs.resolve(SETTINGS).getFingerprint()).isEqualTo(0x89F8FC1EBF52EA12L);
  }

  @Test
  void everySettingThatChangesABlockChangesTheFingerprint() {
    Stream<DatasetSettings> others =
        Stream.of(
            SETTINGS,
            new DatasetSettings("demo", "r50k_base", 128, 64, 7, 0.05, DOMAINS),
            new DatasetSettings("demo", "bytes", 129, 64, 7, 0.05, DOMAINS),
            new DatasetSettings("demo", "bytes", 128, 65, 7, 0.05, DOMAINS),
            new DatasetSettings("demo", "bytes", 128, 64, 8, 0.05, DOMAINS),
            new DatasetSettings("demo", "bytes", 128, 64, 7, 0.06, DOMAINS));

    assertThat(others.map(settings -> DatasetSpecs.resolve(settings).getFingerprint()))
        .doesNotHaveDuplicates();
  }

  @Test
  void nameAndDomainsDoNotChangeTheFingerprint() {
    DatasetSettings other =
        new DatasetSettings("other", "bytes", 128, 64, 7, 0.05, List.of("prose", "java", "config"));

    assertThat(DatasetSpecs.resolve(other).getFingerprint())
        .isEqualTo(DatasetSpecs.resolve(SETTINGS).getFingerprint());
  }

  @Test
  void refusesSettingsOutOfRange() {
    assertThatThrownBy(() -> new DatasetSettings("demo", "bytes", 0, 64, 7, 0.05, DOMAINS))
        .hasMessage("sequence-length must be in [1, 131072]: found 0");
    assertThatThrownBy(() -> new DatasetSettings("demo", "bytes", 8, 0, 7, 0.05, DOMAINS))
        .hasMessage("shuffle-buffer must be in [1, 10000000]: found 0");
    assertThatThrownBy(() -> new DatasetSettings("demo", "bytes", 8, 1, 7, 1, DOMAINS))
        .hasMessage("held-out must be in [0, 1): found 1.0");
    assertThatThrownBy(() -> new DatasetSettings("demo", "bytes", 8, 1, 7, Double.NaN, DOMAINS))
        .hasMessage("held-out must be in [0, 1): found NaN");
    assertThatThrownBy(() -> new DatasetSettings("demo", "bytes", 8, 1, 7, 0, List.of()))
        .hasMessage("domains must name at least one domain: found none");
    assertThatThrownBy(() -> new DatasetSettings("demo", "bytes", 8, 1, 7, 0, List.of("a", "a")))
        .hasMessage("domains must all be different: 'a' is there twice");
    assertThatThrownBy(() -> new DatasetSettings("a.b", "bytes", 8, 1, 7, 0, DOMAINS))
        .hasMessageStartingWith("dataset must be 1 to 63 letters")
        .hasMessageEndingWith("'a.b'");
  }

  @Test
  void refusesASpecificationThatItWouldNotMake() {
    DatasetSpec changed = DatasetSpecs.resolve(SETTINGS);
    changed.setSequenceLength(256);
    DatasetSpec lanes = DatasetSpecs.resolve(SETTINGS);
    lanes.setLanes(65);

    assertThatThrownBy(() -> DatasetSpecs.tokenizer(changed))
        .hasMessageStartingWith("dataset 'demo' has fingerprint ")
        .hasMessageEndingWith("the tokenizer's file or the packing has changed");
    assertThatThrownBy(() -> DatasetSpecs.tokenizer(lanes))
        .hasMessage("lanes must be in [1, 64]: found 65");
  }
}
