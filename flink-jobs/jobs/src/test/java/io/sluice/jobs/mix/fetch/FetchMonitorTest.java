package io.sluice.jobs.mix.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.jobs.mix.fetch.BlockSupply.TakenBlock;
import io.sluice.jobs.mix.source.TestingRun;
import io.sluice.jobs.mix.split.BrokenRunException;
import io.sluice.jobs.mix.split.SplitCursor;
import io.sluice.schema.EndOfDomain;
import io.sluice.schema.WireCodec;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class FetchMonitorTest {
  private final TestingRun run = new TestingRun("r", 2);
  private final FetchMonitor monitor =
      new FetchMonitor(new FetchPlan(run.layout(), 0, run.split().cursor(), 1 << 20), 1);

  private static BitSet domains(int... some) {
    BitSet set = new BitSet();
    for (int domain : some) {
      set.set(domain);
    }
    return set;
  }

  private static ConsumerRecord<byte[], ByteBuffer> record(long ordinal, byte @Nullable [] value) {
    return new ConsumerRecord<>(
        "b0",
        0,
        7,
        ordinal,
        TimestampType.CREATE_TIME,
        0,
        0,
        null,
        value == null ? null : ByteBuffer.wrap(value),
        new RecordHeaders(),
        Optional.empty());
  }

  @Test
  void tellsAReaderWhatItsDomainsLack() throws Exception {
    monitor.need(new int[] {0, 1, 0}, 0);
    FetchMonitor.Demand demand = monitor.await(domains(0));
    assertThat(demand.domains()).isEqualTo(domains(0));
    assertThat(demand.seeks()).isEqualTo(Map.of(0, 0L));
    monitor.readingFrom(demand.seeks());
    assertThat(monitor.demand(domains(0)).seeks()).isEmpty();
    long missing = monitor.offer(0, List.of(record(0, TestingRun.block(0, 0))));
    assertThat(missing).isZero();
    TakenBlock taken = new TakenBlock();
    assertThat(monitor.take(0, taken)).isTrue();
    assertThat(TestingRun.text(taken.bytes)).isEqualTo("block 0:0");
    assertThat(monitor.take(1, taken)).isFalse();
  }

  @Test
  void learnsSizesFromMarkersAndRefusesRecordsWithoutAValue() throws Exception {
    monitor.need(new int[1], 0);
    monitor.readingFrom(monitor.await(domains(0)).seeks());
    byte[] end = WireCodec.encode(EndOfDomain.newBuilder().setDomain("d").setSize(1).build());
    monitor.offer(0, List.of(record(0, TestingRun.block(0, 0)), record(1, end)));
    assertThat(monitor.sizes()).containsExactly(1, SplitCursor.GROWING);
    assertThatThrownBy(() -> monitor.offer(0, List.of(record(1, null))))
        .isInstanceOf(BrokenRunException.class)
        .hasMessage("topic b0, offset 7: a record without value");
  }

  @Test
  void aReaderWithoutDemandWaitsUntilThereIsSome() throws Exception {
    CompletableFuture<FetchMonitor.Demand> found =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                FetchMonitor.Demand demand = monitor.await(domains(0, 1));
                while (demand.domains().isEmpty()) {
                  demand = monitor.await(domains(0, 1));
                }
                return demand;
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    monitor.need(new int[] {1}, 0);
    assertThat(found.get(30, TimeUnit.SECONDS).domains()).isEqualTo(domains(1));
  }
}
