package io.sluice.jobs.prepare.pack;

import io.sluice.jobs.prepare.TestingDatasets;
import io.sluice.jobs.prepare.log.CommittedSupply;
import io.sluice.jobs.prepare.log.Decisions;
import io.sluice.jobs.prepare.record.OutputRecord;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.RangeVerdict;
import io.sluice.schema.ShuffleRelease;
import io.sluice.schema.Supply;
import io.sluice.schema.Topics;
import io.sluice.schema.WireCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecordBase;

/** The topics that PrepareJob writes: what is committed, and one open transaction. */
final class TestingPackingLog {
  private final DatasetSpec spec;
  private final List<OutputRecord> committed = new ArrayList<>();
  private final List<OutputRecord> open = new ArrayList<>();

  TestingPackingLog(DatasetSpec spec) {
    this.spec = spec;
  }

  DatasetSpec spec() {
    return spec;
  }

  void write(OutputRecord message) {
    open.add(message);
  }

  void commit() {
    committed.addAll(open);
    open.clear();
  }

  void abort() {
    open.clear();
  }

  /** What a start reads of a domain's supply. */
  CommittedSupply supply(String domain) {
    Map<Integer, CommittedSupply> lanes = new TreeMap<>();
    for (OutputRecord message : committed) {
      if (WireCodec.decode(message.value()) instanceof Supply said
          && said.getDomain().equals(domain)) {
        lanes.put(said.getLane(), CommittedSupply.of(said, spec));
      }
    }
    return lanes.values().stream().reduce(CommittedSupply::and).orElse(CommittedSupply.NONE);
  }

  /** What a start reads of a domain's decisions. */
  Decisions decisions(String domain) {
    Decisions decisions = Decisions.none();
    counts(domain).forEach(decisions.releases()::add);
    refusedRanges(domain).forEach(offset -> decisions.refusedRanges().add(offset + 1));
    return decisions;
  }

  /** After how many documents a domain was released. */
  List<Long> counts(String domain) {
    return decided(ShuffleRelease.class)
        .filter(release -> release.getDomain().equals(domain))
        .map(ShuffleRelease::getDocuments)
        .toList();
  }

  /** Offsets of a domain's ranges that were refused. */
  List<Long> refusedRanges(String domain) {
    return decided(RangeVerdict.class)
        .filter(verdict -> verdict.getDomain().equals(domain))
        .map(RangeVerdict::getOffset)
        .toList();
  }

  private <T extends SpecificRecordBase> Stream<T> decided(Class<T> type) {
    return committed.stream()
        .filter(m -> m.topic().equals(Topics.standard().releases(spec.getName())))
        .map(m -> WireCodec.decode(m.value()))
        .filter(type::isInstance)
        .map(type::cast);
  }

  /** Blocks, end markers and lineage in each partition, in their order. */
  Map<String, List<String>> blocks() {
    return blocks(committed);
  }

  static Map<String, List<String>> blocks(List<OutputRecord> messages) {
    Map<String, List<String>> partitions = new TreeMap<>();
    for (OutputRecord message : messages) {
      if (Stream.of(".blocks.", ".eval.", ".lineage.").anyMatch(message.topic()::contains)) {
        partitions
            .computeIfAbsent(message.topic() + "/" + message.partition(), p -> new ArrayList<>())
            .add(
                message.timestamp()
                    + " "
                    + TestingDatasets.utf8(message.key())
                    + WireCodec.decode(message.value()));
      }
    }
    return partitions;
  }
}
