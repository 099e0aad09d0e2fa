package io.sluice.control.domain;

import io.sluice.control.history.TopicScan;
import io.sluice.schema.Document;
import io.sluice.schema.DocumentRange;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.TokenDocument;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Documents that a domain's corpus has more than once: of the same id, and the same text with the
 * same spans that count, or the same token ids. They are told by 128 bits of SHA-256. Where the
 * hashes do not fit the memory that is given, the corpus is read several times, each time for a
 * part of them: so the count is exact for any corpus.
 *
 * @param documents that are in the corpus by themselves
 * @param duplicates of these, how many were there before
 * @param inRanges records of files that the corpus names in place of documents, which are not
 *     looked at
 * @param first ids of the first duplicates, at most {@value #SHOWN}
 */
public record CorpusDuplicates(long documents, long duplicates, long inRanges, List<String> first) {
  private static final int SHOWN = 5;

  /** Copies the list. */
  public CorpusDuplicates {
    first = List.copyOf(first);
  }

  /**
   * Reads the corpus to where it ends now.
   *
   * @param memory bytes that hashes may take: at least a mebibyte
   * @throws io.sluice.control.error.BadInputException if the domain has no corpus
   * @throws io.sluice.schema.KafkaUnreachableException if no broker answers
   */
  public static CorpusDuplicates of(KafkaAccess access, String domain, long memory) {
    TopicScan scan = new TopicScan(access);
    Map<TopicPartition, Long> ends = scan.ends(List.of(access.topics().corpus(domain)));
    long records = ends.values().stream().mapToLong(Long::longValue).sum();
    long atOnce = Math.min(HashTable.MOST, Math.max(1, memory / HashTable.BYTES));
    int passes = (int) Math.max(1, (records + atOnce - 1) / atOnce);
    Count count = new Count();
    for (int pass = 0; pass < passes; pass++) {
      HashTable seen = new HashTable((int) (records / passes));
      int part = pass;
      scan.read(ends, message -> count.take(message, seen, part, passes));
    }
    return new CorpusDuplicates(count.documents, count.duplicates, count.inRanges, count.first);
  }

  /** What was found so far. */
  private static final class Count {
    private final List<String> first = new ArrayList<>();
    private final MessageDigest sha256 = sha256();
    private long documents;
    private long duplicates;
    private long inRanges;

    void take(ConsumerRecord<byte[], byte[]> message, HashTable seen, int part, int parts) {
      SpecificRecordBase record = TopicScan.read(SpecificRecordBase.class, message).orElse(null);
      if (record instanceof DocumentRange range && part == 0) {
        inRanges += Math.max(0, range.getRecords());
      }
      String id = record == null ? null : DocumentId.of(record).orElse(null);
      if (record == null || id == null) {
        return;
      }
      ByteBuffer hash = hash(id, record);
      long high = hash.getLong();
      long low = hash.getLong();
      if (Long.remainderUnsigned(low, parts) != part) {
        return;
      }
      documents++;
      if (!seen.add(high, low)) {
        duplicates++;
        if (first.size() < SHOWN) {
          first.add(id);
        }
      }
    }

    private ByteBuffer hash(String id, SpecificRecordBase record) {
      add(id.getBytes(StandardCharsets.UTF_8));
      if (record instanceof Document text) {
        add(text.getText().getBytes(StandardCharsets.UTF_8));
        add(String.valueOf(text.getTrained()).getBytes(StandardCharsets.UTF_8));
      } else if (record instanceof TokenDocument tokens) {
        add(tokens.getTokenizer().getBytes(StandardCharsets.UTF_8));
        sha256.update(tokens.getTokens().duplicate());
      }
      return ByteBuffer.wrap(sha256.digest());
    }

    private void add(byte[] part) {
      sha256.update(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).flip());
      sha256.update(part);
    }

    private static MessageDigest sha256() {
      try {
        return MessageDigest.getInstance("SHA-256");
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
