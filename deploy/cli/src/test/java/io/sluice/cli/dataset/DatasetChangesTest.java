package io.sluice.cli.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.config.ConfigFile;
import io.sluice.schema.DatasetSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

class DatasetChangesTest {
  @Test
  void theSameFileMakesNoChange() {
    assertThat(DatasetChanges.between(spec("128", "java"), spec("128", "java"))).isEmpty();
  }

  @Test
  void aDomainMoreKeepsTheFingerprint() {
    assertThat(DatasetChanges.between(spec("128", "java"), spec("128", "java, wiki")))
        .containsExactly("domains: [java] -> [java, wiki]");
  }

  @Test
  void anotherLengthChangesTheFingerprint() {
    List<String> changes = DatasetChanges.between(spec("128", "java"), spec("256", "java"));
    assertThat(changes).hasSize(2);
    assertThat(changes.get(0)).isEqualTo("sequenceLength: 128 -> 256");
    assertThat(changes.get(1)).matches("fingerprint: [0-9a-f]{16} -> [0-9a-f]{16}");
  }

  private static DatasetSpec spec(String length, String domains) {
    String yaml = "dataset: d\nsequence-length: " + length + "\ndomains: [" + domains + "]\n";
    return DatasetFile.resolve(ConfigFile.parse("d.yaml", yaml), "d.yaml");
  }
}
