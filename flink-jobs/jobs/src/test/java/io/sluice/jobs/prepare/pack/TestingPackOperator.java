package io.sluice.jobs.prepare.pack;

import io.sluice.jobs.prepare.log.CommittedSupply;
import io.sluice.jobs.prepare.log.Decisions;
import io.sluice.jobs.prepare.log.SupplyLog;
import io.sluice.jobs.prepare.record.DomainEvent;
import io.sluice.jobs.prepare.record.OutputRecord;
import io.sluice.jobs.prepare.record.OutputRecordSerializer;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;

/** The operator that packs, on RocksDB, whose output goes to a log in transactions. */
final class TestingPackOperator
    extends KeyedOneInputStreamOperatorTestHarness<String, DomainEvent, OutputRecord> {
  private static final KafkaAccess KAFKA = KafkaAccess.local("unused:9092");

  private final TestingPackingLog log;
  private final List<OutputRecord> committed = new ArrayList<>();
  private int taken;

  TestingPackOperator(DatasetSpec spec, TestingPackingLog log) throws Exception {
    this(spec, log, log, 0);
  }

  /**
   * @param known whose releases, and supply unless it is another log, are those of the start
   * @param bytes of shuffled documents, and of packings, that stay on the heap
   */
  TestingPackOperator(DatasetSpec spec, TestingPackingLog log, TestingPackingLog known, long bytes)
      throws Exception {
    super(
        new PackBlocks(spec, KAFKA, Start.of(spec, log, known), () -> 7, bytes, bytes),
        DomainEvent::domain,
        Types.STRING);
    this.log = log;
    setStateBackend(new EmbeddedRocksDBStateBackend());
    setup(OutputRecordSerializer.INSTANCE);
  }

  void process(DomainEvent event) throws Exception {
    processElement(event, 0);
  }

  /** What the last checkpoint committed. */
  List<OutputRecord> committed() {
    return committed;
  }

  OperatorSubtaskState checkpoint(long id) throws Exception {
    prepareSnapshotPreBarrier(id);
    OperatorSubtaskState state = snapshot(id, id);
    List<OutputRecord> output = extractOutputValues();
    committed.clear();
    committed.addAll(output.subList(taken, output.size()));
    taken = output.size();
    committed.forEach(log::write);
    log.commit();
    return state;
  }

  /** What a start reads; lists travel to the operator, which is copied. */
  private record Start(
      HashMap<String, CommittedSupply> supply, HashMap<String, ArrayList<Long>> counts)
      implements SupplyLog {
    static Start of(DatasetSpec spec, TestingPackingLog log, TestingPackingLog known) {
      Start start = new Start(new HashMap<>(), new HashMap<>());
      for (String domain : spec.getDomains()) {
        start.supply.put(domain, log.supply(domain));
        start.counts.put(domain, new ArrayList<>(known.counts(domain)));
      }
      return start;
    }

    @Override
    public Map<String, CommittedSupply> read(KafkaAccess kafka, DatasetSpec spec) {
      return supply;
    }

    @Override
    public Map<String, Decisions> decisions(KafkaAccess kafka, DatasetSpec spec) {
      Map<String, Decisions> decisions = new HashMap<>();
      counts.forEach(
          (domain, known) -> {
            Decisions of = decisions.computeIfAbsent(domain, d -> Decisions.none());
            known.forEach(of.releases()::add);
          });
      return decisions;
    }
  }
}
