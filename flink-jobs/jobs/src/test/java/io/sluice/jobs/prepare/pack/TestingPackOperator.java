package io.sluice.jobs.prepare.pack;

import io.sluice.jobs.prepare.log.CommittedSupply;
import io.sluice.jobs.prepare.log.Decisions;
import io.sluice.jobs.prepare.log.ForgottenDocuments;
import io.sluice.jobs.prepare.log.SupplyLog;
import io.sluice.jobs.prepare.record.DomainEvent;
import io.sluice.jobs.write.OutputRecord;
import io.sluice.jobs.write.OutputRecordSerializer;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.set.DocumentKeys;
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

  /** What everybody is to forget of each domain; outside of the operator, which is copied. */
  static final ThreadLocal<Map<String, DocumentKeys>> FORGOTTEN = ThreadLocal.withInitial(Map::of);

  private final TestingPackingLog log;
  private final List<OutputRecord> committed = new ArrayList<>();
  private int taken;

  TestingPackOperator(DatasetSpec spec, TestingPackingLog log) throws Exception {
    this(spec, log, log, 0);
  }

  /**
   * @param known whose decisions, and supply unless it is another log, are those of the start
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
  private record Start(HashMap<String, CommittedSupply> supply, ArrayList<byte[]> decided)
      implements SupplyLog {
    static Start of(DatasetSpec spec, TestingPackingLog log, TestingPackingLog known) {
      Start start = new Start(new HashMap<>(), new ArrayList<>(known.decided()));
      spec.getDomains().forEach(domain -> start.supply.put(domain, log.supply(domain)));
      return start;
    }

    @Override
    public Map<String, CommittedSupply> read(KafkaAccess kafka, DatasetSpec spec) {
      return supply;
    }

    @Override
    public Map<String, Decisions> decisions(KafkaAccess kafka, DatasetSpec spec) {
      Map<String, Decisions> decisions = new HashMap<>();
      spec.getDomains()
          .forEach(domain -> decisions.put(domain, TestingPackingLog.decisions(decided, domain)));
      return decisions;
    }

    @Override
    public ForgottenDocuments forgotten(KafkaAccess kafka, DatasetSpec spec) {
      return new TestingForgotten();
    }
  }

  /** What {@link #FORGOTTEN} has at each look. */
  static final class TestingForgotten implements ForgottenDocuments {
    private Map<String, DocumentKeys> known = FORGOTTEN.get();

    @Override
    public void look() {
      known = FORGOTTEN.get();
    }

    @Override
    public DocumentKeys of(String domain) {
      return known.getOrDefault(domain, DocumentKeys.NONE);
    }

    @Override
    public void close() {}
  }
}
