package io.sluice.cli.loop;

import io.sluice.control.history.TopicScan;
import io.sluice.schema.EndOfDomain;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.WireCodec;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.specific.SpecificRecordBase;

/** What is committed of a dataset's training or held-out blocks in a topic. */
record PreparedTopic(KafkaAccess access, String topic) {
  List<TokenBlock> blocks() {
    return records().stream()
        .filter(TokenBlock.class::isInstance)
        .map(TokenBlock.class::cast)
        .toList();
  }

  /** Different documents in its blocks. */
  long documents() {
    return blocks().stream()
        .flatMap(block -> block.getDocumentIds().stream())
        .filter(id -> !id.isEmpty())
        .distinct()
        .count();
  }

  /**
   * Tokens in its blocks.
   *
   * @param ofDocuments those of documents, otherwise those behind them that fill a block
   */
  long tokens(boolean ofDocuments) {
    long tokens = 0;
    for (TokenBlock block : blocks()) {
      for (int part = 0; part < block.getDocumentIds().size(); part++) {
        boolean isDocument = !block.getDocumentIds().get(part).isEmpty();
        tokens += isDocument == ofDocuments ? block.getDocumentLengths().get(part) : 0;
      }
    }
    return tokens;
  }

  /** Whether its last record says that no block follows. */
  boolean hasEnded() {
    List<SpecificRecordBase> records = records();
    return !records.isEmpty() && records.get(records.size() - 1) instanceof EndOfDomain;
  }

  private List<SpecificRecordBase> records() {
    List<SpecificRecordBase> records = new ArrayList<>();
    new TopicScan(access)
        .read(List.of(topic), message -> records.add(WireCodec.decode(message.value())));
    return records;
  }
}
