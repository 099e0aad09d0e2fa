package io.sluice.jobs.prepare.pack;

import io.sluice.jobs.prepare.TestingDatasets;
import io.sluice.jobs.prepare.log.CommittedSupply;
import io.sluice.jobs.prepare.log.Decisions;
import io.sluice.jobs.prepare.log.Forgettings.Forgetting;
import io.sluice.jobs.write.OutputRecord;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.DocumentsForgotten;
import io.sluice.schema.RangeVerdict;
import io.sluice.schema.ShuffleRelease;
import io.sluice.schema.Supply;
import io.sluice.schema.Topics;
import io.sluice.schema.WireCodec;
import io.sluice.schema.set.DocumentKeys;
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
    return decisions(decided(), domain);
  }

  /** The same of the topic's records. */
  static Decisions decisions(List<byte[]> decided, String domain) {
    Decisions decisions = Decisions.none();
    said(decided, ShuffleRelease.class)
        .filter(release -> release.getDomain().equals(domain))
        .forEach(release -> decisions.releases().add(release.getDocuments()));
    said(decided, RangeVerdict.class)
        .filter(verdict -> verdict.getDomain().equals(domain))
        .forEach(verdict -> decisions.refusedRanges().add(verdict.getOffset() + 1));
    said(decided, DocumentsForgotten.class)
        .filter(forgotten -> forgotten.getDomain().equals(domain))
        .map(
            forgotten ->
                new Forgetting(
                    forgotten.getSteps(), DocumentKeys.of(domain, forgotten.getHashes())))
        .forEach(decisions.forgotten()::add);
    return decisions;
  }

  /** After how many documents a domain was released. */
  List<Long> counts(String domain) {
    return said(decided(), ShuffleRelease.class)
        .filter(release -> release.getDomain().equals(domain))
        .map(ShuffleRelease::getDocuments)
        .toList();
  }

  /** Offsets of a domain's ranges that were refused. */
  List<Long> refusedRanges(String domain) {
    return said(decided(), RangeVerdict.class)
        .filter(verdict -> verdict.getDomain().equals(domain))
        .map(RangeVerdict::getOffset)
        .toList();
  }

  /** All that is committed, in its order. */
  List<SpecificRecordBase> committed() {
    return committed.stream().map(message -> WireCodec.decode(message.value())).toList();
  }

  /** What was decided in all domains. */
  List<byte[]> decided() {
    return committed.stream()
        .filter(message -> message.topic().equals(Topics.standard().releases(spec.getName())))
        .map(OutputRecord::value)
        .toList();
  }

  private static <T extends SpecificRecordBase> Stream<T> said(
      List<byte[]> decided, Class<T> type) {
    return decided.stream().map(WireCodec::decode).filter(type::isInstance).map(type::cast);
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
