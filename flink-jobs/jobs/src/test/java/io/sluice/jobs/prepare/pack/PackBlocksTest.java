package io.sluice.jobs.prepare.pack;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.jobs.prepare.TestingDatasets;
import io.sluice.jobs.prepare.dataset.HeldOutRule;
import io.sluice.jobs.prepare.log.CommittedSupply;
import io.sluice.jobs.prepare.log.Decisions;
import io.sluice.jobs.prepare.log.ForgottenDocuments;
import io.sluice.jobs.prepare.log.SupplyLog;
import io.sluice.jobs.prepare.record.DomainEvent;
import io.sluice.jobs.prepare.record.DomainEvent.TokenizedDocument;
import io.sluice.jobs.write.OutputRecord;
import io.sluice.jobs.write.OutputRecordSerializer;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Supply;
import io.sluice.schema.WireCodec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackBlocksTest {
  private static final double HELD_OUT = 0.1;
  private static final DatasetSpec SPEC =
      DatasetSpec.newBuilder(TestingDatasets.dataset(16, 8, HELD_OUT))
          .setHeldOutTokens(400)
          .setPacking("best-fit")
          .setPackingWindow(3)
          .setPadDocumentsTo(4)
          .build();
  private static final KafkaAccess KAFKA = KafkaAccess.local("unused:9092");
  private static final String SUPPLY = KAFKA.topics().supply("demo");

  /** With no, some and all of the shuffled documents and of the packings on the heap. */
  @ParameterizedTest
  @ValueSource(longs = {0, 100, 1 << 20})
  void restoredEqualsNeverStopped(long heapBytes) throws Exception {
    List<DomainEvent> events = TestingDatasets.events(150, HELD_OUT);
    List<String> expected = new ArrayList<>();
    try (Harness harness = new Harness(Map.of())) {
      harness.open();
      process(harness, events);
      harness.prepareSnapshotPreBarrier(1);
      harness.collect(expected);
    }

    List<String> restored = new ArrayList<>();
    OperatorSubtaskState state = null;
    Map<String, CommittedSupply> committed = new HashMap<>();
    for (int from = 0; from < events.size(); from += 37) {
      try (Harness harness = new Harness(committed, heapBytes)) {
        if (state != null) {
          harness.initializeState(state);
        }
        harness.open();
        process(harness, events.subList(from, Math.min(from + 37, events.size())));
        harness.prepareSnapshotPreBarrier(from);
        state = harness.snapshot(from, from);
        committed.putAll(harness.collect(restored));
      }
    }

    assertThat(blocks(restored)).isEqualTo(blocks(expected));
    assertThat(last(restored)).isEqualTo(last(expected));
  }

  /** None, some and all of the packings stay on the heap behind each checkpoint. */
  @ParameterizedTest
  @ValueSource(longs = {0, 5_000, 1 << 20})
  void domainsThatLeaveTheHeapGoOnAsIfTheyHadStayed(long heapBytes) throws Exception {
    List<DomainEvent> events = TestingDatasets.events(150, HELD_OUT);
    CommittedSupply some = packed(events.subList(0, 100)).get("java");
    for (CommittedSupply committed : List.of(CommittedSupply.NONE, some)) {
      List<String> stayed = new ArrayList<>();
      List<String> left = new ArrayList<>();
      try (Harness harness = new Harness(Map.of("java", committed), Long.MAX_VALUE >> 1);
          Harness leaving = new Harness(Map.of("java", committed), heapBytes)) {
        harness.open();
        leaving.open();
        for (int from = 0; from < events.size(); from += 10) {
          List<DomainEvent> next = events.subList(from, Math.min(from + 10, events.size()));
          checkpoint(harness, next, from);
          checkpoint(leaving, next, from);
          assertThat(((PackBlocks) leaving.getOperator()).heapBytes())
              .isLessThanOrEqualTo(heapBytes);
        }
        harness.collect(stayed);
        leaving.collect(left);
      }
      assertThat(left).isEqualTo(stayed).hasSizeGreaterThan(50);
    }
  }

  private static Map<String, CommittedSupply> packed(List<DomainEvent> events) throws Exception {
    try (Harness harness = new Harness(Map.of())) {
      harness.open();
      checkpoint(harness, events, 1);
      return harness.collect(new ArrayList<>());
    }
  }

  private static void checkpoint(Harness harness, List<DomainEvent> events, long id)
      throws Exception {
    process(harness, events);
    harness.prepareSnapshotPreBarrier(id);
    harness.snapshot(id, id);
  }

  @Test
  void supplyOfChangedDomainsPrecedesTheBarrier() throws Exception {
    try (Harness harness = new Harness(Map.of())) {
      harness.open();
      process(harness, List.of(document("java", "a"), document("prose", "b")));
      harness.prepareSnapshotPreBarrier(1);
      harness.snapshot(1, 1);
      process(harness, List.of(document("prose", "c")));
      harness.prepareSnapshotPreBarrier(2);
      harness.snapshot(2, 2);
      harness.prepareSnapshotPreBarrier(3);

      assertThat(harness.extractOutputValues())
          .extracting(r -> WireCodec.decode(Supply.class, r.value()))
          .extracting(supply -> supply.getDomain() + " " + supply.getDocuments())
          .containsExactly("java 1", "prose 1", "prose 2");
    }
  }

  @Test
  void theEndOfTheInputIsALastChanceForSupply() throws Exception {
    try (Harness harness = new Harness(Map.of())) {
      harness.open();
      process(harness, List.of(document("java", "a")));
      harness.endInput();
      harness.prepareSnapshotPreBarrier(1);

      assertThat(harness.extractOutputValues()).hasSize(1);
    }
  }

  @Test
  void withoutStateItGoesOnAfterWhatIsCommitted() throws Exception {
    List<DomainEvent> events = TestingDatasets.events(150, HELD_OUT);
    List<String> first = new ArrayList<>();
    List<String> second = new ArrayList<>();
    Map<String, CommittedSupply> committed;
    try (Harness harness = new Harness(Map.of())) {
      harness.open();
      process(harness, events.subList(0, 100));
      harness.prepareSnapshotPreBarrier(1);
      committed = harness.collect(first);
    }
    try (Harness harness = new Harness(committed)) {
      harness.open();
      process(harness, events);
      harness.collect(second);
    }

    List<String> straight = new ArrayList<>();
    try (Harness harness = new Harness(Map.of())) {
      harness.open();
      process(harness, events);
      harness.collect(straight);
    }
    List<String> joined = new ArrayList<>(blocks(first));
    joined.addAll(blocks(second));
    assertThat(joined).isEqualTo(blocks(straight));
  }

  private static TokenizedDocument document(String domain, String text) {
    return TestingDatasets.document(domain, text, text, new HeldOutRule(0, 1));
  }

  private static void process(Harness harness, List<? extends DomainEvent> events)
      throws Exception {
    for (DomainEvent event : events) {
      harness.processElement(event, 0);
    }
  }

  private static List<String> blocks(List<String> rendered) {
    return rendered.stream().filter(line -> !line.startsWith(SUPPLY)).toList();
  }

  private static List<String> last(List<String> rendered) {
    return rendered.subList(rendered.size() - 2, rendered.size()).stream().sorted().toList();
  }

  /** The operator on RocksDB, behind a log that holds the given supply. */
  private static final class Harness
      extends KeyedOneInputStreamOperatorTestHarness<String, DomainEvent, OutputRecord> {
    Harness(Map<String, CommittedSupply> committed) throws Exception {
      this(committed, 0);
    }

    Harness(Map<String, CommittedSupply> committed, long heapBytes) throws Exception {
      super(
          new PackBlocks(
              SPEC,
              KAFKA,
              new TestingSupplyLog(new HashMap<>(committed)),
              () -> 7,
              heapBytes,
              heapBytes),
          DomainEvent::domain,
          Types.STRING);
      setStateBackend(new EmbeddedRocksDBStateBackend());
      setup(OutputRecordSerializer.INSTANCE);
    }

    /** Adds what came out to the list; returns the last supply of each domain. */
    Map<String, CommittedSupply> collect(List<String> rendered) {
      Map<String, CommittedSupply> supply = new HashMap<>();
      for (OutputRecord message : extractOutputValues()) {
        Object value = WireCodec.decode(message.value());
        rendered.add(message.topic() + " " + message.timestamp() + " " + value);
        if (value instanceof Supply committed) {
          supply.put(committed.getDomain(), CommittedSupply.of(committed, SPEC));
        }
      }
      return supply;
    }
  }

  private record TestingSupplyLog(HashMap<String, CommittedSupply> supply) implements SupplyLog {
    @Override
    public Map<String, CommittedSupply> read(KafkaAccess kafka, DatasetSpec spec) {
      return supply;
    }

    @Override
    public Map<String, Decisions> decisions(KafkaAccess kafka, DatasetSpec spec) {
      return Map.of();
    }

    @Override
    public ForgottenDocuments forgotten(KafkaAccess kafka, DatasetSpec spec) {
      return new TestingPackOperator.TestingForgotten();
    }
  }
}
