package io.sluice.lab.bench.fan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sluice.client.run.BatchSchedule;
import io.sluice.client.run.TrainerRank;
import io.sluice.control.runs.NewRun;
import io.sluice.control.wire.RunSpecs;
import io.sluice.jobs.prepare.dataset.DatasetSettings;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.lab.bench.fan.FanOut.StoreReads;
import io.sluice.schema.RunSpec;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FanModelTest {
  private static FanShape shape(int gpus, int rows, int partitions) {
    return new FanShape(gpus, 8, 9_400, 4096, rows, 64, 12, partitions, 3, 1_000_000_000_000L);
  }

  private static FanModel model(FanShape shape) {
    return new FanModel(shape, new RecordSizes(8_300, 8_360, 1_000, 200, 300, 600));
  }

  @Test
  void everyRankReadsAsManyPartitionsAsItsClientSays() {
    Random random = new Random(11);
    for (int n = 0; n < 200; n++) {
      FanShape shape = shape(1 + random.nextInt(40), 1 + random.nextInt(6), 1 + random.nextInt(64));
      BatchSchedule schedule = BatchSchedule.of(run(shape.batch()), 0, 0);
      for (int rank = 0; rank < shape.gpus(); rank++) {
        assertThat(
                TrainerRank.of(rank, shape.gpus()).partitions(schedule, 0, 0, shape.partitions()))
            .as("rank %d of %s", rank, shape)
            .hasSize(model(shape).partitionsRead());
      }
    }
  }

  private static RunSpec run(int batch) {
    return RunSpecs.complete(
        NewRun.of(
                "fan",
                DatasetSpecs.resolve(
                    new DatasetSettings("fan", "bytes", 32, 1, 7, 0, List.of("a"), 1)),
                batch)
            .build());
  }

  @Test
  void aStreamIsReadByEachRankThatHasNoPartitionsOfItsOwn() {
    assertThat(model(shape(64, 4, 4)).tokens().timesRead()).isEqualTo(64);
    assertThat(model(shape(64, 4, 256)).tokens().timesRead()).isEqualTo(1);
    assertThat(model(shape(64, 4, 255)).tokens().timesRead()).isEqualTo(64);
  }

  @Test
  void bytesOfBrokersAreThoseOfTheirRecords() {
    FanOut tokens = model(shape(1024, 4, 256)).tokens();
    double rows = 9_400 * 1024 / 4096.0;
    double batches = rows / 4096;
    double in = rows * 8_360 + batches * 1_000 + 1024 * batches * 200;
    assertThat(tokens.brokersInMBps()).isCloseTo(in / 1e6, within(1e-9));
    double readers = 16 * rows * 8_360 + 1024 * batches * 1_000;
    double job = rows * 8_300 + 1024 * batches * 200;
    assertThat(tokens.brokersOutMBps()).isCloseTo((readers + job + 2 * in) / 1e6, within(1e-6));
    assertThat(tokens.store()).isNull();
  }

  @Test
  void aRankHasAConnectionToEachBrokerThatItReads() {
    FanOut tokens = model(shape(1024, 4, 256)).tokens();
    assertThat(tokens.connections()).isEqualTo(1024 * (4 + 3));
    assertThat(tokens.firstConnections()).isEqualTo(1024 * (4 + 3 + 4));
    assertThat(model(shape(1024, 64, 256)).tokens().connections()).isEqualTo(1024 * (12 + 3));
    assertThat(model(shape(1024, 4, 256)).derived().connections()).isEqualTo(1024 * 4);
  }

  @Test
  void aDerivedRunLoadsBrokersWithItsLogOnly() {
    FanOut derived = model(shape(1024, 4, 256)).derived();
    double batches = 9_400 / (4 * 4096.0);
    double in = batches * 1_000 + 1024 * batches * 200;
    double out = 1024 * batches * 1_000 + 1024 * batches * 200 + 2 * in;
    assertThat(derived.brokersOutMBps()).isCloseTo(out / 1e6, within(1e-9));
    assertThat(derived.timesRead()).isZero();
  }

  @Test
  void aStoreIsReadOnceWithoutCachesAndByEveryNodeWithThem() {
    StoreReads one = store(8);
    assertThat(one.cachedMBps()).isCloseTo(one.directMBps(), within(1e-9));
    StoreReads many = store(512);
    assertThat(many.cachedMBps()).isCloseTo(64 * many.directMBps(), within(1e-3));
    assertThat(many.nodeMBps()).isCloseTo(many.directMBps(), within(1e-3));
    double batches = 9_400 / (4 * 4096.0);
    double others = 63 / 64.0;
    assertThat(many.directRequestsPerSecond())
        .isCloseTo(512 * batches * 64 * (1 - Math.pow(others, 4)), within(1e-6));
  }

  private static StoreReads store(int gpus) {
    return Objects.requireNonNull(model(shape(gpus, 4, 256)).derived().store());
  }

  @Test
  void whatAllAreGivenAtFirstGrowsWithTheSquareOfTheirNumber() {
    double claims = 1024 * 1023 / 2.0 * 300;
    double log = 1024 * (2.0 * (1 << 20) + (32 << 10));
    assertThat(model(shape(1024, 4, 256)).tokens().startMB())
        .isCloseTo((claims + log) / 1e6, within(1e-6));
  }

  @Test
  void recordsAreAsLargeAsTheyAreOnTheWire() {
    RecordSizes sizes = RecordSizes.of(shape(64, 4, 64));
    assertThat(sizes.block()).isBetween(2 * 4097.0, 2 * 4097.0 + 120);
    assertThat(sizes.streamed() - sizes.block()).isBetween(60.0, 70.0);
    assertThat(sizes.logPerBatch()).isBetween(64.0, 2_000.0);
    assertThat(sizes.segment()).isBetween(300.0, 600.0);
  }

  @Test
  void aShapeThatCannotBeIsRefused() {
    assertThatThrownBy(() -> shape(0, 4, 256)).hasMessage("--gpus must be in [1, 131072]: 0");
    assertThatThrownBy(() -> shape(8, 4, 1025))
        .hasMessage("--partitions must be in [1, 1024]: 1025");
    assertThatThrownBy(() -> new FanShape(8, 8, 1, 1, 1, 1, 2, 1, 3, 1))
        .hasMessage("--copies must be in [1, 2]: 3");
  }
}
