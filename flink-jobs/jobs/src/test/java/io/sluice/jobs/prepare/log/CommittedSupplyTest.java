package io.sluice.jobs.prepare.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.jobs.prepare.TestingDatasets;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.Supply;
import org.junit.jupiter.api.Test;

class CommittedSupplyTest {
  private static final DatasetSpec SPEC = TestingDatasets.dataset(4, 2, 0.1);

  @Test
  void saysWhatTheRecordSays() {
    Supply supply =
        new Supply("demo", SPEC.getFingerprint(), "java", 0, 3L, 2L, 12L, 9L, true, 0L, 0L, null);

    assertThat(CommittedSupply.of(supply, SPEC)).isEqualTo(new CommittedSupply(9, 3, 2, true));
    assertThat(CommittedSupply.of(supply, SPEC))
        .hasToString("9 documents, 3 blocks and 2 held-out blocks with the end");
  }

  @Test
  void refusesAnotherFingerprint() {
    DatasetSpec now = DatasetSpec.newBuilder(SPEC).setFingerprint(0xABC).build();
    Supply supply = new Supply("demo", 0x123L, "java", 0, 3L, 2L, 12L, 9L, true, 0L, 0L, null);

    assertThatThrownBy(() -> CommittedSupply.of(supply, now))
        .hasMessage(
            "dataset 'demo' was packed with fingerprint 0000000000000123 and now has"
                + " 0000000000000abc: settings that change a block need a new dataset name");
  }
}
