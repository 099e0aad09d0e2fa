package io.sluice.jobs.prepare.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.jobs.prepare.TestingDatasets;
import io.sluice.schema.DatasetSpec;
import org.junit.jupiter.api.Test;

class DocumentBeginTest {
  private static final DatasetSpec NONE = TestingDatasets.dataset(8, 1, 0);
  private static final DatasetSpec ONE =
      DatasetSpec.newBuilder(NONE).setBeginOfDocument(0x0201).build();

  @Test
  void standsBeforeEachDocumentThatHasAToken() {
    assertThat(new DocumentBegin(ONE).before(new byte[] {7, 0})).containsExactly(1, 2, 7, 0);
    assertThat(new DocumentBegin(ONE).before(new byte[] {})).isEmpty();
    assertThat(new DocumentBegin(NONE).before(new byte[] {7, 0})).containsExactly(7, 0);
  }

  @Test
  void countsInNoLossWhereSpansDo() {
    assertThat(new DocumentBegin(ONE).before(new int[] {0, 0, 3})).containsExactly(0, 1, 3);
    assertThat(new DocumentBegin(ONE).before(new int[] {0, 4})).containsExactly(0, 5);
    assertThat(new DocumentBegin(ONE).before(new int[] {0})).containsExactly(0);
    assertThat(new DocumentBegin(ONE).before(new int[] {})).isEmpty();
    assertThat(new DocumentBegin(NONE).before(new int[] {0, 4})).containsExactly(0, 4);
  }
}
