package io.sluice.jobs.prepare;

import io.sluice.jobs.prepare.dataset.DatasetSettings;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.jobs.prepare.dataset.HeldOutRule;
import io.sluice.jobs.prepare.dataset.ShuffleSettings;
import io.sluice.jobs.prepare.record.DomainEvent;
import io.sluice.jobs.prepare.record.DomainEvent.CorpusEnded;
import io.sluice.jobs.prepare.record.DomainEvent.TokenizedDocument;
import io.sluice.jobs.prepare.tokenizer.Tokenizers;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.set.DocumentHashes;
import io.sluice.schema.set.DocumentKey;
import io.sluice.schema.set.DocumentKeys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;

/** Small datasets of the byte tokenizer, and documents for them. */
public final class TestingDatasets {
  private TestingDatasets() {}

  public static DatasetSpec dataset(int sequenceLength, int shuffleBuffer, double heldOut) {
    return dataset(sequenceLength, shuffleBuffer, heldOut, 1);
  }

  /** The same in lanes. */
  public static DatasetSpec dataset(
      int sequenceLength, int shuffleBuffer, double heldOut, int lanes) {
    return DatasetSpecs.resolve(settings(sequenceLength, shuffleBuffer, heldOut, lanes));
  }

  /** The same in lanes, whose shuffle buffers let their documents go after 10 s. */
  public static DatasetSpec releasing(
      int sequenceLength, int shuffleBuffer, double heldOut, int lanes) {
    return DatasetSpecs.resolve(
        settings(sequenceLength, shuffleBuffer, heldOut, lanes)
            .with(new ShuffleSettings(shuffleBuffer, Duration.ofSeconds(10), 7)));
  }

  private static DatasetSettings settings(
      int sequenceLength, int shuffleBuffer, double heldOut, int lanes) {
    return new DatasetSettings(
        "demo",
        "bytes",
        sequenceLength,
        shuffleBuffer,
        7,
        heldOut,
        List.of("java", "prose"),
        lanes);
  }

  /** Documents of 0 to 40 characters, seeded. */
  public static List<TokenizedDocument> documents(String domain, int count, double heldOut) {
    SplittableRandom random = new SplittableRandom(domain.hashCode());
    HeldOutRule split = new HeldOutRule(heldOut, HeldOutRule.OF_TEXT);
    List<TokenizedDocument> documents = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(41); text.length() < length; ) {
        text.append((char) ('a' + random.nextInt(26)));
      }
      documents.add(document(domain, domain + "-" + i, text.toString(), split));
    }
    return documents;
  }

  /** As many documents of each domain in turn, then the ends of both. */
  public static List<DomainEvent> events(int count, double heldOut) {
    List<TokenizedDocument> java = documents("java", count, heldOut);
    List<TokenizedDocument> prose = documents("prose", count, heldOut);
    List<DomainEvent> events = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      events.add(java.get(i));
      events.add(prose.get(i));
    }
    events.add(new CorpusEnded("java"));
    events.add(new CorpusEnded("prose"));
    return events;
  }

  public static TokenizedDocument document(
      String domain, String id, String text, HeldOutRule split) {
    long hash = split.hash(text);
    return new TokenizedDocument(
        domain, split.isHeldOut(hash), hash, id, encode(text), TokenizedDocument.ALL);
  }

  /** Documents of a domain as sets know them. */
  public static DocumentKeys keys(String domain, Collection<String> ids) {
    SortedMap<String, Set<DocumentKey>> keys = new TreeMap<>();
    ids.forEach(
        id -> keys.computeIfAbsent(domain, of -> new TreeSet<>()).add(DocumentKey.of(domain, id)));
    return DocumentHashes.of(keys).get(0).of(domain);
  }

  public static byte[] encode(String text) {
    return Tokenizers.forName("bytes").encode(text);
  }

  /** Ids of the block's tokens. */
  public static int[] tokens(TokenBlock block) {
    int[] tokens = new int[block.getTokens().remaining() / block.getTokenWidth()];
    for (int i = 0; i < tokens.length; i++) {
      for (int b = 0; b < block.getTokenWidth(); b++) {
        int at = i * block.getTokenWidth() + b;
        tokens[i] |= (block.getTokens().get(at) & 0xFF) << (8 * b);
      }
    }
    return tokens;
  }

  public static String utf8(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
