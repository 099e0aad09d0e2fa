package io.sluice.cli.ingest.corpus;

import io.sluice.cli.ingest.topic.TopicPlace;
import io.sluice.cli.ingest.topic.TopicSource;
import io.sluice.control.error.BadInputException;
import io.sluice.corpus.document.DocumentSink;
import io.sluice.corpus.document.IngestReport;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.corpus.document.RecordIngest;
import io.sluice.schema.DeadLetter;
import io.sluice.schema.Document;
import io.sluice.schema.IngestedFile;
import io.sluice.schema.KafkaAccess;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Copies the records of a topic that others write into a domain, each once: the table of what was
 * ingested has its partitions as files, of which so many records are done with as the next offset
 * says.
 *
 * @param into the domain
 * @param reading the topic
 * @param follow go on until stopped
 */
public record TopicIngest(CorpusIngest into, TopicReading reading, boolean follow) {
  /** Characters of text, and the time, after which the table is told. */
  private static final long CHARS = 64L << 20;

  private static final long SAY_NANOS = Duration.ofSeconds(10).toNanos();

  /**
   * Copies what is there, and with {@code follow} what comes.
   *
   * @param stopped whether to end where it is
   * @throws BadInputException if there is no such topic, it was read as another format, or another
   *     ingest is under way
   */
  public IngestReport run(BooleanSupplier stopped) {
    KafkaAccess access = into.access();
    IngestSettings settings = into.settings();
    String corpus = KnownDomains.open(access, settings.domain(), into.create());
    try (TopicSource from = TopicSource.open(reading.source(), reading.topic(), follow);
        CorpusWriter writer = new CorpusWriter(access, settings.domain())) {
      TopicPlace place = from.place();
      if (place.id().equals(corpus)) {
        throw new BadInputException("--topic must be another than the corpus that it is copied to");
      }
      IngestSession session =
          IngestSession.begin(
              access, writer, settings.domain(), corpus, into.takeOver(), place.folder());
      try {
        IngestReport report = new Copying(from, writer, session, stopped).run();
        session.end();
        boolean ends = into.end() && !stopped.getAsBoolean() && report.givenUp() == 0;
        if (ends) {
          writer.end();
        }
        return ends ? report.withEnd() : report;
      } catch (RuntimeException e) {
        session.abandon(e);
        throw e;
      }
    }
  }

  /** One run. */
  private final class Copying implements DocumentSink, TopicSource.Gaps {
    private final TopicSource from;
    private final CorpusWriter writer;
    private final IngestSession session;
    private final BooleanSupplier stopped;
    private final TopicPlace place;
    private final RecordIngest ingest;

    /** Up to which offset each partition was taken. */
    private final Map<Integer, Long> taken = new HashMap<>();

    private final Set<Integer> unsaid = new HashSet<>();
    private long written;
    private long said = System.nanoTime();

    Copying(TopicSource from, CorpusWriter writer, IngestSession session, BooleanSupplier stopped) {
      this.from = from;
      this.writer = writer;
      this.session = session;
      this.stopped = stopped;
      this.place = from.place();
      session.knownBelow(place.folder()).forEach(this::know);
      this.ingest =
          new RecordIngest(
              reading.topic(),
              reading.documents(),
              into.settings(),
              !taken.isEmpty(),
              this,
              InstantSource.system(),
              into.progress(),
              into.threads());
    }

    IngestReport run() {
      try (ingest) {
        begin();
        while (!from.isRead() && ingest.isOfUse() && !stopped.getAsBoolean()) {
          List<ConsumerRecord<byte[], byte[]>> records = from.poll(this);
          records.forEach(this::add);
          if (records.isEmpty()) {
            ingest.drain();
          }
          if (written >= CHARS || System.nanoTime() - said > SAY_NANOS) {
            say();
            begin();
          }
        }
        ingest.drain();
        say();
        return ingest.report();
      }
    }

    /** Reads partitions that are new. */
    private void begin() {
      from.begin(taken, this).values().forEach(ingest::partition);
    }

    private void add(ConsumerRecord<byte[], byte[]> record) {
      byte[] value = record.value();
      int partition = record.partition();
      long next = record.offset() + 1;
      into.progress().accept(value == null ? 0 : value.length);
      ingest.add(partition, record.offset(), value, () -> mark(partition, next));
    }

    private void mark(int partition, long next) {
      taken.put(partition, next);
      unsaid.add(partition);
    }

    private void say() {
      said = System.nanoTime();
      written = 0;
      if (unsaid.isEmpty() || !ingest.hasDocuments()) {
        return;
      }
      Map<String, IngestedFile> files = new HashMap<>();
      for (int partition : unsaid) {
        String file = place.file(partition);
        long next = taken.getOrDefault(partition, 0L);
        files.put(file, session.ingested(file, reading.reading(), next, 0, new byte[0]));
      }
      session.say(files);
      unsaid.clear();
    }

    @Override
    public void document(Document document, byte[] encoded) {
      writer.document(document, encoded);
      written += document.getText().length();
    }

    @Override
    public void deadLetter(DeadLetter letter) {
      writer.deadLetter(letter);
    }

    @Override
    public void lost(int partition, long first, long next) {
      ingest.lost(partition, first, next);
      mark(partition, next);
    }

    @Override
    public void cut(int partition, long next, long end) {
      ingest.giveUp(
          partition,
          next,
          "cannot be read on: it ends at offset "
              + end
              + ", and was taken up to "
              + next
              + ": it has lost its end, and what is written there now cannot be told from that");
    }

    private void know(String partition, IngestedFile before) {
      String was = before.getReading();
      if (!was.isEmpty() && !was.equals(reading.reading())) {
        throw new BadInputException(
            "topic '"
                + reading.topic()
                + "' was ingested as '"
                + was
                + "', and would be read as '"
                + reading.reading()
                + "' now: its documents would be there twice");
      }
      taken.put(Integer.parseInt(partition), before.getRecords());
    }
  }
}
