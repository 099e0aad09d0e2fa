package io.sluice.jobs.prepare.pack;

import io.sluice.jobs.write.OutputRecord;
import io.sluice.schema.BlockLineage;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.EndOfDomain;
import io.sluice.schema.Ledger;
import io.sluice.schema.Supply;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.Topics;
import io.sluice.schema.WireCodec;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.avro.specific.SpecificRecordBase;
import org.jspecify.annotations.Nullable;

/**
 * Records about a domain, on their topics.
 *
 * @param clock milliseconds since the epoch, which blocks carry
 */
record DomainOutput(
    DatasetSpec spec,
    Topics topics,
    String domain,
    LongSupplier clock,
    Consumer<OutputRecord> out) {
  void training(TokenBlock block) {
    block(topics.blocks(spec.getName(), domain), block);
  }

  void heldOut(TokenBlock block) {
    block(topics.eval(spec.getName(), domain), block);
  }

  void lineage(BlockLineage lineage) {
    byte[] key = domain.getBytes(StandardCharsets.UTF_8);
    emit(topics.lineage(spec.getName()), 0, clock.getAsLong(), key, lineage);
  }

  /** The end of a lane, behind so many blocks. */
  void end(int lane, long training, long heldOut) {
    marker(topics.blocks(spec.getName(), domain), lane, training);
    marker(topics.eval(spec.getName(), domain), lane, heldOut);
  }

  /** A release, a verdict, or what is forgotten. */
  void decision(SpecificRecordBase decision) {
    byte[] key = domain.getBytes(StandardCharsets.UTF_8);
    emit(topics.releases(spec.getName()), 0, clock.getAsLong(), key, decision);
  }

  /** What of the domain can be read once it is committed, lane by lane. */
  void supply(
      BlockPacker training,
      BlockPacker heldOut,
      long documents,
      boolean ended,
      int waiting,
      @Nullable Ledger counts) {
    for (int lane = 0; lane < spec.getLanes(); lane++) {
      supply(
          new Supply(
              spec.getName(),
              spec.getFingerprint(),
              domain,
              lane,
              training.blocks(lane),
              heldOut.blocks(lane),
              training.trainedTokens(),
              documents,
              ended,
              (long) waiting,
              training.padding(),
              lane == 0 ? counts : null));
    }
  }

  private void supply(Supply supply) {
    byte[] key = (domain + "/" + supply.getLane()).getBytes(StandardCharsets.UTF_8);
    emit(topics.supply(spec.getName()), 0, supply.getBlocks(), key, supply);
  }

  private void block(String topic, TokenBlock block) {
    block.setProducedAtMillis(clock.getAsLong());
    emit(topic, block.getLane(), block.getOrdinal(), OutputRecord.NO_KEY, block);
  }

  private void marker(String topic, int lane, long size) {
    emit(topic, lane, size, OutputRecord.NO_KEY, new EndOfDomain(domain, lane, size));
  }

  private void emit(
      String topic, int partition, long timestamp, byte[] key, SpecificRecordBase message) {
    out.accept(new OutputRecord(topic, partition, timestamp, key, WireCodec.encode(message)));
  }
}
