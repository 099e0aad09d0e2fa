package io.sluice.control.domain;

import io.sluice.control.error.BadInputException;
import io.sluice.control.history.TopicScan;
import io.sluice.control.topics.RecordWriter;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.schema.DeadLetter;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.LetterRetry;
import io.sluice.schema.TopicReader;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** What could not be used, of whichever domain or run. */
public record DeadLetterLog(KafkaAccess access) {
  /** What {@code sluice ingest} is called in dead letters. */
  private static final String INGEST = "ingest";

  /** What prepares a dataset is called there. */
  private static final String PREPARE = "prepare";

  /** Numbers in one record, which is far from too large with them. */
  private static final int NUMBERS = 10_000;

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /**
   * One of them.
   *
   * @param number its offset in the topic
   * @param domain whose document it was; empty if it was none's, or if that is not known
   */
  public record Entry(long number, Optional<String> domain, DeadLetter letter) {
    /** Whether it was a document of a domain that it does not name, as earlier builds wrote it. */
    public boolean ofUnknownDomain() {
      return domain.isEmpty() && letter.getComponent().equals(INGEST);
    }
  }

  /**
   * Deletes all before one.
   *
   * @param number of the oldest that stays; one more than the newest has, and none does
   * @return how many are deleted
   * @throws BadInputException if nothing can have that number
   */
  public long drop(long number) {
    String topic = access.topics().deadLetters();
    TopicPartition log = new TopicPartition(topic, 0);
    long end = new TopicScan(access).ends(List.of(topic)).getOrDefault(log, 0L);
    if (number < 0 || number > end) {
      throw new BadInputException(
          "the number must be in [0, " + end + "], where the dead letters end: " + number);
    }
    long[] dropped = {0};
    read(entry -> dropped[0] += entry.number() < number ? 1 : 0);
    try (TopicAdmin admin = new TopicAdmin(access)) {
      admin.deleteBefore(log, number);
    }
    return dropped[0];
  }

  /**
   * Hands on all that there are, oldest first.
   *
   * @throws io.sluice.schema.KafkaUnreachableException if no broker answers
   */
  public void read(Consumer<Entry> reader) {
    read(reader, retry -> {});
  }

  /**
   * The same with what was said of them later.
   *
   * @param retries takes which of them were taken in the end, in its place among them
   */
  public void read(Consumer<Entry> reader, Consumer<LetterRetry> retries) {
    new TopicScan(access)
        .read(
            List.of(access.topics().deadLetters()),
            message -> {
              entry(message).ifPresent(reader);
              TopicScan.read(LetterRetry.class, message).ifPresent(retries);
            });
  }

  /** When which of them were taken in the end, in milliseconds since 1970, by their numbers. */
  public Map<Long, Long> retried() {
    Map<Long, Long> retried = new HashMap<>();
    read(entry -> {}, retry -> note(retry, retried));
    return retried;
  }

  /** Adds what a retry took; of several of one letter the first counts. */
  public static void note(LetterRetry retry, Map<Long, Long> retried) {
    retry.getLetters().forEach(number -> retried.putIfAbsent(number, retry.getTimeMillis()));
  }

  /**
   * Says that all that these letters are of was taken.
   *
   * @param key of the letters
   */
  public void retried(String key, Collection<Long> numbers, long timeMillis) {
    List<Long> all = List.copyOf(numbers);
    for (int from = 0; from < all.size(); from += NUMBERS) {
      List<Long> some = all.subList(from, Math.min(all.size(), from + NUMBERS));
      RecordWriter.write(
          access, access.topics().deadLetters(), key, new LetterRetry(some, timeMillis), PATIENCE);
    }
  }

  /**
   * One by its number; empty if there is none.
   *
   * @throws io.sluice.schema.KafkaUnreachableException if no broker answers
   */
  public Optional<Entry> find(long number) {
    if (number < 0) {
      return Optional.empty();
    }
    try (TopicReader reader = TopicReader.committed(access)) {
      return reader.at(access.topics().deadLetters(), number, PATIENCE).flatMap(this::entry);
    }
  }

  private Optional<Entry> entry(ConsumerRecord<byte[], byte[]> message) {
    try {
      DeadLetter letter = WireCodec.decode(DeadLetter.class, message.value());
      return Optional.of(new Entry(message.offset(), domain(message.key(), letter), letter));
    } catch (WireFormatException e) {
      // Anybody may write there; what is no dead letter is nobody's.
      return Optional.empty();
    }
  }

  /** The key of what was refused in a file is its domain; a corpus is named after its own. */
  private Optional<String> domain(byte @Nullable [] key, DeadLetter letter) {
    String corpora = access.topics().corpus("");
    if (!letter.getComponent().equals(INGEST) && letter.getOrigin().startsWith(corpora)) {
      return Optional.of(letter.getOrigin().substring(corpora.length()));
    }
    return letter.getComponent().equals(INGEST) || letter.getComponent().equals(PREPARE)
        ? Optional.ofNullable(key).map(name -> new String(name, StandardCharsets.UTF_8))
        : Optional.empty();
  }
}
