package io.sluice.jobs.prepare.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.jobs.prepare.TestingDatasets;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.DocumentsForgotten;
import io.sluice.schema.EndOfDomain;
import io.sluice.schema.RangeVerdict;
import io.sluice.schema.ShuffleRelease;
import io.sluice.schema.Supply;
import io.sluice.schema.WireCodec;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class KafkaSupplyLogTest {
  private static final DatasetSpec SPEC = TestingDatasets.dataset(4, 2, 0.1);
  private static final String DOMAIN = SPEC.getDomains().get(0);

  private static Supply supply(String dataset, String domain, int lane) {
    return new Supply(
        dataset, SPEC.getFingerprint(), domain, lane, 3L, 2L, 12L, 9L, true, 0L, 0L, null);
  }

  @Test
  void takesWhatIsSaidOfTheDataset() {
    Supply said = supply(SPEC.getName(), DOMAIN, 0);
    assertThat(KafkaSupplyLog.said(WireCodec.encode(said), SPEC)).isEqualTo(said);
  }

  @Test
  void takesVerdictsOfTheDatasetAndNothingElse() {
    RangeVerdict said =
        new RangeVerdict(SPEC.getName(), SPEC.getFingerprint(), DOMAIN, 0L, "/a is missing");
    assertThat(KafkaSupplyLog.decided(WireCodec.encode(said), SPEC)).isEqualTo(said);
    for (RangeVerdict foreign :
        new RangeVerdict[] {
          new RangeVerdict("another", SPEC.getFingerprint(), DOMAIN, 3L, ""),
          new RangeVerdict(SPEC.getName(), 1L, DOMAIN, 3L, ""),
          new RangeVerdict(SPEC.getName(), SPEC.getFingerprint(), "nobody's", 3L, ""),
          new RangeVerdict(SPEC.getName(), SPEC.getFingerprint(), DOMAIN, -1L, ""),
          new RangeVerdict(SPEC.getName(), SPEC.getFingerprint(), DOMAIN, Long.MAX_VALUE, "")
        }) {
      assertThat(KafkaSupplyLog.decided(WireCodec.encode(foreign), SPEC)).isNull();
    }
  }

  @Test
  void takesWhatTheDatasetForgetsAndNothingElse() {
    ByteBuffer hashes = TestingDatasets.keys(DOMAIN, List.of("a", "b")).bytes();
    ByteBuffer torn = hashes.duplicate().limit(31);
    DocumentsForgotten said = forgotten(SPEC.getName(), DOMAIN, 0, hashes);
    assertThat(KafkaSupplyLog.decided(WireCodec.encode(said), SPEC)).isEqualTo(said);
    for (DocumentsForgotten foreign :
        new DocumentsForgotten[] {
          forgotten("another", DOMAIN, 0, hashes),
          forgotten(SPEC.getName(), "nobody's", 0, hashes),
          forgotten(SPEC.getName(), DOMAIN, -1, hashes),
          forgotten(SPEC.getName(), DOMAIN, 0, torn),
          forgotten(SPEC.getName(), DOMAIN, 0, ByteBuffer.allocate(0)),
          forgotten(SPEC.getName(), DOMAIN, 0, ByteBuffer.allocate(32))
        }) {
      assertThat(KafkaSupplyLog.decided(WireCodec.encode(foreign), SPEC)).isNull();
    }
  }

  private static DocumentsForgotten forgotten(
      String dataset, String domain, long steps, ByteBuffer hashes) {
    return new DocumentsForgotten(dataset, SPEC.getFingerprint(), domain, steps, hashes);
  }

  @Test
  void takesReleasesOfTheDatasetAndNothingElse() {
    ShuffleRelease said = new ShuffleRelease(SPEC.getName(), SPEC.getFingerprint(), DOMAIN, 3L);
    byte[] good = WireCodec.encode(said);
    assertThat(KafkaSupplyLog.decided(good, SPEC)).isEqualTo(said);
    assertThat(KafkaSupplyLog.decided(null, SPEC)).isNull();
    for (int length = 0; length < good.length; length++) {
      assertThat(KafkaSupplyLog.decided(Arrays.copyOf(good, length), SPEC)).isNull();
    }
    for (ShuffleRelease foreign :
        new ShuffleRelease[] {
          new ShuffleRelease("another", SPEC.getFingerprint(), DOMAIN, 3L),
          new ShuffleRelease(SPEC.getName(), 1L, DOMAIN, 3L),
          new ShuffleRelease(SPEC.getName(), SPEC.getFingerprint(), "nobody's", 3L),
          new ShuffleRelease(SPEC.getName(), SPEC.getFingerprint(), DOMAIN, 0L)
        }) {
      assertThat(KafkaSupplyLog.decided(WireCodec.encode(foreign), SPEC)).isNull();
    }
    assertThat(KafkaSupplyLog.decided(WireCodec.encode(supply("demo", DOMAIN, 0)), SPEC)).isNull();
  }

  @Test
  void nothingElseKeepsTheJobFromStarting() {
    byte[] good = WireCodec.encode(supply(SPEC.getName(), DOMAIN, 0));
    assertThat(KafkaSupplyLog.said(null, SPEC)).isNull();
    assertThat(KafkaSupplyLog.said(new byte[811], SPEC)).isNull();
    for (int length = 0; length < good.length; length++) {
      assertThat(KafkaSupplyLog.said(Arrays.copyOf(good, length), SPEC)).isNull();
    }
    byte[] end = WireCodec.encode(EndOfDomain.newBuilder().setDomain(DOMAIN).setSize(3).build());
    assertThat(KafkaSupplyLog.said(end, SPEC)).isNull();
    for (Supply foreign :
        new Supply[] {
          supply("another", DOMAIN, 0),
          supply(SPEC.getName(), "nobody's", 0),
          supply(SPEC.getName(), DOMAIN, -1),
          supply(SPEC.getName(), DOMAIN, SPEC.getLanes())
        }) {
      assertThat(KafkaSupplyLog.said(WireCodec.encode(foreign), SPEC)).isNull();
    }
  }
}
