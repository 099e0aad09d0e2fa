package io.sluice.cli.forget.purge;

import io.sluice.control.history.TopicScan;
import io.sluice.jobs.prepare.tokenizer.TokenBytes;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.WireCodec;
import io.sluice.schema.set.IdHash;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * What a block has in the place of documents: padding, token for token, and all else as it was.
 *
 * @param dataset of the block
 * @param documents what the dataset's blocks have of their ids
 */
record BlockChange(DatasetSpec dataset, Set<String> documents) implements PurgeTopics.Removal {
  /** The change of the blocks of a domain of which documents are purged. */
  static BlockChange of(DatasetSpec dataset, String domain, Set<String> ids) {
    boolean hashed = IdHash.in(dataset.getDocumentIds());
    return new BlockChange(
        dataset,
        hashed
            ? ids.stream().map(id -> IdHash.of(domain, id)).collect(Collectors.toSet())
            : Set.copyOf(ids));
  }

  @Override
  public byte @Nullable [] apply(ConsumerRecord<byte[], byte[]> record) {
    TokenBlock block = TopicScan.read(TokenBlock.class, record).orElse(null);
    if (block == null || !isWhole(block)) {
      return record.value();
    }
    byte[] padding = TokenBytes.of(dataset.getPadding(), block.getTokenWidth());
    ByteBuffer tokens = block.getTokens();
    boolean changed = false;
    int at = tokens.position();
    for (int part = 0; part < block.getDocumentIds().size(); part++) {
      int bytes = block.getDocumentLengths().get(part) * block.getTokenWidth();
      if (documents.contains(block.getDocumentIds().get(part))) {
        for (int i = 0; i < bytes; i++) {
          byte wanted = padding[i % padding.length];
          changed |= tokens.get(at + i) != wanted;
          tokens.put(at + i, wanted);
        }
      }
      at += bytes;
    }
    return changed ? WireCodec.encode(block) : record.value();
  }

  @Override
  public boolean names(ConsumerRecord<byte[], byte[]> record) {
    return TopicScan.read(TokenBlock.class, record)
        .filter(block -> block.getDocumentIds().stream().anyMatch(documents::contains))
        .isPresent();
  }

  /** Whether the lengths are those of the tokens; another record of the topic is no block. */
  private boolean isWhole(TokenBlock block) {
    List<Integer> lengths = block.getDocumentLengths();
    long sum = lengths.stream().mapToLong(Integer::longValue).sum();
    return block.getTokenWidth() == dataset.getTokenWidth()
        && block.getDocumentIds().size() == lengths.size()
        && lengths.stream().noneMatch(length -> length < 0)
        && sum * block.getTokenWidth() == block.getTokens().remaining();
  }
}
