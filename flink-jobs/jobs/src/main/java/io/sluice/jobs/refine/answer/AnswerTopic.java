package io.sluice.jobs.refine.answer;

import io.sluice.refine.synthesis.AnswerStore;
import io.sluice.refine.synthesis.Reply;
import io.sluice.refine.synthesis.RequestKey;
import io.sluice.refine.synthesis.store.AnswerLine;
import io.sluice.refine.synthesis.store.Ledger;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.KafkaUnreachableException;
import io.sluice.schema.TopicReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Answers in a topic of one partition, of which one process at a time is the writer. Where a reply
 * is, is kept in memory, some 100 bytes a request; the reply itself is read when it is asked for.
 */
public final class AnswerTopic implements AnswerStore {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final KafkaAccess access;
  private final TopicPartition place;
  private final KafkaProducer<byte[], byte[]> producer;
  private final Consumer<byte[], byte[]> consumer;
  private final Map<RequestKey, Long> replies = new HashMap<>();
  private final Ledger ledger = new Ledger();
  private boolean closed;

  private AnswerTopic(KafkaAccess access, String topic) {
    this.access = access;
    this.place = new TopicPartition(topic, 0);
    this.consumer = TopicReader.consumer(access, Map.of("max.poll.records", "1"));
    this.producer =
        new KafkaProducer<>(
            access.with(
                Map.of(
                    "acks", "all",
                    "linger.ms", "0",
                    "max.request.size", Integer.toString(Integer.MAX_VALUE))),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  /**
   * Opens a topic, which must be there, and reads what it has.
   *
   * @throws KafkaUnreachableException if no broker answers
   */
  public static AnswerTopic open(KafkaAccess access, String topic) {
    AnswerTopic answers = new AnswerTopic(access, topic);
    try {
      read(access, topic, answers::note);
      answers.consumer.assign(List.of(answers.place));
      return answers;
    } catch (RuntimeException e) {
      answers.close();
      throw e;
    }
  }

  /**
   * What was spent, for people.
   *
   * @param answers replies that are kept
   * @param tokens that they, and what had no reply, have cost, with those that are reserved
   * @param reserved of these, what requests may cost that are under way, or were when a job died
   */
  public record Spent(long answers, long tokens, long reserved) {
    /** Of a topic as it is now; nothing of one that is not there. */
    public static Spent of(KafkaAccess access, String topic) {
      Ledger ledger = new Ledger();
      long[] answers = new long[1];
      read(
          access,
          topic,
          (line, offset) -> {
            ledger.note(line);
            answers[0] += line instanceof AnswerLine.Replied ? 1 : 0;
          });
      return new Spent(answers[0], ledger.spent(), ledger.reserved());
    }
  }

  private interface Lines {
    void take(AnswerLine line, long offset);
  }

  /** What others wrote into the topic is passed over. */
  private static void read(KafkaAccess access, String topic, Lines lines) {
    try (TopicReader reader = TopicReader.uncommitted(access)) {
      reader.catchUp(
          topic,
          PATIENCE,
          message -> {
            AnswerLine line = message.value() == null ? null : AnswerLine.decode(message.value());
            if (line != null) {
              lines.take(line, message.offset());
            }
          });
    }
  }

  @Override
  public Optional<Reply.Settled> get(RequestKey key) {
    Long offset;
    synchronized (this) {
      offset = replies.get(key);
    }
    return Optional.ofNullable(offset).map(this::reply);
  }

  @Override
  public synchronized boolean has(RequestKey key) {
    return replies.containsKey(key);
  }

  @Override
  public void reserve(RequestKey key, long tokens) {
    await(new AnswerLine.Reserved(key, tokens));
  }

  /** Not waited for: if it is lost, the reservation counts. */
  @Override
  public void settle(RequestKey key, long tokens) {
    AnswerLine line = new AnswerLine.Settled(key, tokens);
    Future<RecordMetadata> unused = send(line);
    note(line, -1);
  }

  @Override
  public void put(RequestKey key, Reply.Settled reply, long tokens) {
    await(new AnswerLine.Replied(key, reply, tokens));
  }

  @Override
  public synchronized long spent() {
    return ledger.spent();
  }

  @Override
  public void close() {
    synchronized (consumer) {
      if (closed) {
        return;
      }
      closed = true;
      consumer.close();
    }
    producer.close(Duration.ZERO);
  }

  private void await(AnswerLine line) {
    try {
      note(line, send(line).get().offset());
    } catch (ExecutionException e) {
      throw e.getCause() instanceof KafkaException known ? known : new KafkaException(e.getCause());
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }

  private Future<RecordMetadata> send(AnswerLine line) {
    byte[] key = line.key().hex().getBytes(StandardCharsets.US_ASCII);
    byte[] encoded = AnswerLine.encode(line);
    byte[] value = Arrays.copyOf(encoded, encoded.length - 1);
    return producer.send(new ProducerRecord<>(place.topic(), place.partition(), key, value));
  }

  private synchronized void note(AnswerLine line, long offset) {
    ledger.note(line);
    if (line instanceof AnswerLine.Replied) {
      replies.put(line.key(), offset);
    }
  }

  private Reply.Settled reply(long offset) {
    synchronized (consumer) {
      consumer.seek(place, offset);
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (System.nanoTime() < deadline) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
          if (AnswerLine.decode(record.value()) instanceof AnswerLine.Replied replied) {
            return replied.reply();
          }
          throw damaged(record);
        }
      }
    }
    throw new KafkaUnreachableException(
        access.bootstrapServers(), PATIENCE, new KafkaException("no answer at offset " + offset));
  }

  private static IllegalStateException damaged(ConsumerRecord<byte[], byte[]> record) {
    return new IllegalStateException(
        "topic "
            + record.topic()
            + " is damaged: what offset "
            + record.offset()
            + " has is not as it was written");
  }
}
