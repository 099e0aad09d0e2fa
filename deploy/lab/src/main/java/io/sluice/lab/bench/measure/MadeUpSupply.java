package io.sluice.lab.bench.measure;

import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Supply;
import io.sluice.schema.WireCodec;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Says in the supply topic that all blocks of a lane are there. */
final class MadeUpSupply {
  private MadeUpSupply() {}

  static ProducerRecord<byte[], byte[]> of(
      KafkaAccess kafka, DatasetSpec spec, String domain, int lane, long blocks) {
    Supply supply =
        Supply.newBuilder()
            .setDataset(spec.getName())
            .setFingerprint(spec.getFingerprint())
            .setDomain(domain)
            .setLane(lane)
            .setBlocks(blocks)
            .setEvalBlocks(0)
            .setTrainedTokens(spec.getLanes() * blocks * spec.getSequenceLength())
            .setDocuments(spec.getLanes() * blocks)
            .setEnded(false)
            .build();
    return new ProducerRecord<>(
        kafka.topics().supply(spec.getName()),
        0,
        (domain + "/" + lane).getBytes(StandardCharsets.UTF_8),
        WireCodec.encode(supply));
  }
}
