package io.sluice.jobs.prepare.read;

import io.sluice.corpus.range.Pauses;
import io.sluice.corpus.range.RangeReader;
import io.sluice.corpus.range.SourceRoots;
import io.sluice.jobs.prepare.read.CorpusReader.Reading;
import io.sluice.jobs.prepare.record.CorpusRecord;
import io.sluice.jobs.prepare.record.DomainEvent;
import io.sluice.jobs.prepare.record.DomainEvent.DocumentRefused;
import io.sluice.jobs.prepare.tokenizer.Tokenizer;
import io.sluice.jobs.prepare.tokenizer.Tokenizers;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.Document;
import io.sluice.schema.EndOfDomain;
import io.sluice.schema.PurgedDocument;
import io.sluice.schema.PurgedReading;
import io.sluice.schema.TokenDocument;
import io.sluice.schema.Topics;
import io.sluice.schema.WireCodec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.apache.avro.specific.SpecificRecordBase;

/** A domain's corpus with records of every kind, and what a dataset of bytes makes of them. */
public final class TestingCorpus {
  private static final PurgedReading OTHERS = new PurgedReading(1L, true, 0, List.of(), 0L);

  private final DatasetSpec spec;
  private final String domain;
  private final SplittableRandom random;
  private final CorpusReader reader;
  private final List<SpecificRecordBase> records = new ArrayList<>();
  private final List<DomainEvent> events = new ArrayList<>();

  /**
   * Documents, of which some are no good or are like others, and most times the domain's end. The
   * last is a good one: a job that is started again says of what is refused behind it with the
   * next.
   */
  public TestingCorpus(DatasetSpec spec, String domain, int documents, SplittableRandom random) {
    this.spec = spec;
    this.domain = domain;
    this.random = random;
    this.reader = reader(spec);
    List<String> texts = new ArrayList<>(List.of(""));
    for (int i = 0; i < documents; i++) {
      records.add(document(domain + "-" + i, text(texts)));
    }
    records.add(new Document(domain + "-" + documents, "the last", "-", 0L, Map.of(), null));
    if (random.nextInt(4) > 0) {
      records.add(new EndOfDomain(domain, 0, documents + 1L));
    }
    for (int i = 0; i < records.size(); i++) {
      events.add(event(i));
    }
  }

  private String text(List<String> before) {
    if (random.nextInt(5) == 0) {
      String like = before.get(random.nextInt(before.size()));
      return random.nextBoolean() ? like : " " + like.toUpperCase(Locale.ROOT);
    }
    StringBuilder text = new StringBuilder();
    for (int length = random.nextInt(41); text.length() < length; ) {
      text.append((char) ('a' + random.nextInt(26)));
    }
    before.add(text.toString());
    return text.toString();
  }

  private SpecificRecordBase document(String id, String text) {
    int end = text.length();
    return switch (random.nextInt(10)) {
      case 0 -> new Document(id, text, "-", 0L, Map.of(), List.of(3, 2));
      case 1 -> tokens(id, text, "others");
      case 2 -> tokens(id, text, "bytes");
      case 3, 4 ->
          new Document(
              id, text, "-", 0L, Map.of(), end < 4 ? List.of() : List.of(1, 2, 3, end - 1));
      default -> new Document(id, text, "-", 0L, Map.of(), null);
    };
  }

  private static TokenDocument tokens(String id, String text, String tokenizer) {
    ByteBuffer tokens = ByteBuffer.wrap(Tokenizers.forName("bytes").encode(text));
    return new TokenDocument(id, tokenizer, 2, tokens, "-", 0L, Map.of());
  }

  /** What the dataset's job reads now, an event of each record. */
  public List<DomainEvent> events() {
    return List.copyOf(events);
  }

  private DomainEvent event(int offset) {
    byte[] value = WireCodec.encode(records.get(offset));
    String topic = Topics.standard().corpus(domain);
    return reading(reader.read(new CorpusRecord(topic, 0, offset, value)))
            instanceof Reading.Accepted accepted
        ? accepted.event()
        : new DocumentRefused(domain);
  }

  /** A reader of a dataset of bytes, of whose corpora nothing was read. */
  static CorpusReader reader(DatasetSpec spec) {
    Tokenizer tokenizer = Tokenizers.forName("bytes");
    RangeReader files = new RangeReader(SourceRoots.NONE, Pauses.GROWING);
    return new CorpusReader(
        spec,
        Topics.standard(),
        tokenizer,
        new EndMarkers(),
        new RangeDocuments(files, tokenizer, Map.of()));
  }

  static Reading reading(Task task) {
    try {
      return task.reading().call();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Purges the documents of these ids.
   *
   * @return how many were there still
   */
  public int purge(Predicate<String> ids) {
    int purged = 0;
    try (DocumentReadings readings = new DocumentReadings(spec, Tokenizers.forName("bytes"))) {
      for (int i = 0; i < records.size(); i++) {
        SpecificRecordBase record = records.get(i);
        String id = id(record);
        if (!id.isEmpty() && ids.test(id)) {
          List<PurgedReading> made = List.of(OTHERS, readings.of(record, domain));
          records.set(i, new PurgedDocument(id, made));
          events.set(i, event(i));
          purged++;
        }
      }
    }
    return purged;
  }

  private static String id(SpecificRecordBase record) {
    return record instanceof Document text
        ? text.getId()
        : record instanceof TokenDocument tokens ? tokens.getId() : "";
  }
}
