package io.sluice.cli.ingest.corpus;

import io.sluice.cli.ingest.topic.TopicPlace;
import io.sluice.control.error.BadInputException;
import io.sluice.control.history.TopicScan;
import io.sluice.control.purge.Purges;
import io.sluice.corpus.file.LocalFile;
import io.sluice.corpus.store.FileStores;
import io.sluice.schema.Document;
import io.sluice.schema.DocumentRange;
import io.sluice.schema.IngestProgress;
import io.sluice.schema.IngestedFile;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.TokenDocument;
import io.sluice.schema.TopicReader;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * How far files are in the corpus of a domain, by their locations: about half a kilobyte of memory
 * a file.
 */
final class IngestedFiles {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final String domain;
  private final String corpus;
  private final Set<String> earlier;
  private final Map<String, IngestedFile> files = new HashMap<>();
  private final List<IngestProgress> progress = new ArrayList<>();
  private long found;

  private IngestedFiles(String domain, String corpus, Set<String> earlier) {
    this.domain = domain;
    this.corpus = corpus;
    this.earlier = earlier;
  }

  /**
   * Reads the table.
   *
   * @param corpus Kafka's id of the domain's corpus topic
   * @throws BadInputException if a record of the domain cannot be read
   */
  static IngestedFiles read(KafkaAccess access, String domain, String corpus) {
    Set<String> earlier = new Purges(access).earlierIds(access.topics().corpus(domain));
    IngestedFiles result = new IngestedFiles(domain, corpus, earlier);
    new TopicScan(access).read(List.of(access.topics().ingested()), result::take);
    return result;
  }

  /** What relative origins of documents start from. */
  static String folder() {
    return LocalFile.location(Path.of(""));
  }

  String corpus() {
    return corpus;
  }

  /** What is known of a file; null if nothing is. */
  @Nullable IngestedFile get(String file) {
    return files.get(file);
  }

  /** What is known of the files of a folder, by their names in it. */
  Map<String, IngestedFile> below(String folder) {
    String prefix = folder + "/";
    Map<String, IngestedFile> found = new HashMap<>();
    files.forEach(
        (file, known) -> {
          if (file.startsWith(prefix)) {
            found.put(file.substring(prefix.length()), known);
          }
        });
    return found;
  }

  /** What was said last of who ingests, and where the corpus may know more than the table. */
  Optional<IngestProgress> progress() {
    return progress.isEmpty() ? Optional.empty() : Optional.of(progress.get(progress.size() - 1));
  }

  /** How many more records of files than ranges of these the corpus names. */
  long referred() {
    return progress().map(IngestProgress::getReferred).orElse(0L) + found;
  }

  /** The same without what one ingest said. */
  Optional<IngestProgress> latestBut(IngestClaim claim) {
    return progress.stream().filter(said -> !claim.says(said)).reduce((one, next) -> next);
  }

  /** The ingest that said first that it works of those that another reading did not see. */
  Optional<IngestProgress> firstBehind(IngestedFiles earlier) {
    return progress.stream()
        .filter(said -> said.getOpen() && !said.getAttempt().isEmpty())
        .filter(said -> earlier.progress.stream().noneMatch(said::equals))
        .findFirst();
  }

  private void take(ConsumerRecord<byte[], byte[]> message) {
    String key = message.key() == null ? "" : new String(message.key(), StandardCharsets.UTF_8);
    if (!key.equals(domain) && !key.startsWith(domain + "/")) {
      return;
    }
    SpecificRecordBase said = message.value() == null ? null : decoded(message, key);
    if (said instanceof IngestedFile file && isThis(file.getCorpus())) {
      files.put(file.getFile(), file);
    } else if (said instanceof IngestProgress latest && isThis(latest.getCorpus())) {
      progress.add(latest);
    }
  }

  /** Whether an id is of the corpus, or of one whose place it took with the same offsets. */
  private boolean isThis(String topicId) {
    return topicId.equals(corpus) || earlier.contains(topicId);
  }

  private static SpecificRecordBase decoded(ConsumerRecord<byte[], byte[]> message, String key) {
    try {
      return WireCodec.decode(message.value());
    } catch (WireFormatException e) {
      throw new BadInputException(
          "offset "
              + message.offset()
              + " of "
              + message.topic()
              + " must say how far '"
              + key
              + "' is ingested: "
              + e.getMessage(),
          e);
    }
  }

  /**
   * Reads the corpus behind what the table knows.
   *
   * @return what it says of files, and the table did not
   */
  Map<String, IngestedFile> find(KafkaAccess access, IngestProgress since) {
    Map<String, IngestedFile> found = new HashMap<>();
    String topic = access.topics().corpus(domain);
    Map<TopicPartition, Long> ends = new TopicScan(access).ends(List.of(topic));
    try (TopicReader reader = TopicReader.committed(access)) {
      reader.seek(topic, since.getStart());
      reader.readTo(ends, PATIENCE, message -> find(message.value(), since.getFolder(), found));
    }
    files.putAll(found);
    return found;
  }

  private void find(byte @Nullable [] value, String folder, Map<String, IngestedFile> found) {
    try {
      SpecificRecordBase written = value == null ? null : WireCodec.decode(value);
      if (written instanceof Document document && !document.getOrigin().equals("-")) {
        find(folder, document.getOrigin(), document.getLine(), found);
      } else if (written instanceof TokenDocument document) {
        find(folder, document.getOrigin(), document.getLine(), found);
      } else if (written instanceof DocumentRange range) {
        this.found += Math.max(0, range.getRecords() - 1);
        find(folder, range.getLocation(), range.getFirst() - 1 + range.getRecords(), found);
      }
    } catch (WireFormatException | InvalidPathException e) {
      // What is no document of a file is the preparing job's to refuse.
    }
  }

  private void find(String folder, String origin, long line, Map<String, IngestedFile> found) {
    Optional<TopicPlace> topic = TopicPlace.of(folder);
    Optional<String> written =
        topic.isPresent()
            ? topic.get().file(origin)
            : Optional.of(FileStores.location(folder, origin));
    written.ifPresent(
        file -> found.merge(file, at(file, Math.max(1, line)), IngestedFiles::further));
  }

  private IngestedFile at(String file, long records) {
    IngestedFile before = files.get(file);
    return before == null
        ? new IngestedFile(domain, file, corpus, "", records, 0L, ByteBuffer.allocate(0))
        : IngestedFile.newBuilder(before)
            .setRecords(Math.max(records, before.getRecords()))
            .build();
  }

  private static IngestedFile further(IngestedFile one, IngestedFile other) {
    return one.getRecords() >= other.getRecords() ? one : other;
  }
}
