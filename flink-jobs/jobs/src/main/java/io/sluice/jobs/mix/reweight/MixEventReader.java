package io.sluice.jobs.mix.reweight;

import io.sluice.control.topics.RunLog;
import io.sluice.jobs.mix.reweight.MixEvent.Kind;
import io.sluice.schema.Topics;
import java.nio.charset.StandardCharsets;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Reads records of the control plane, so far that each goes to its run; what cannot becomes an
 * event with the reason.
 */
record MixEventReader(Topics topics) implements KafkaRecordDeserializationSchema<MixEvent> {
  @Override
  public void deserialize(ConsumerRecord<byte[], byte[]> message, Collector<MixEvent> out) {
    out.collect(read(message));
  }

  private MixEvent read(ConsumerRecord<byte[], byte[]> message) {
    if (message.value() == null) {
      return undecodable(message, "a record without a value");
    }
    try {
      Kind kind = kind(message.topic());
      if (kind.isOfDataset()) {
        return MixEvent.of(kind, "", message);
      }
      String key = key(message);
      if (kind == Kind.FEEDBACK && !key.isEmpty()) {
        requireFeedback(message.topic(), key);
        return MixEvent.of(kind, key, message);
      }
      // Everybody who reads the log or the commands goes by the record, whatever its key is.
      String runId = MixEvent.runIdOf(MixEvent.of(kind, "", message).message());
      if (kind == Kind.CONTROL) {
        requireLog(message.topic(), runId);
      } else if (kind == Kind.FEEDBACK) {
        requireFeedback(message.topic(), runId);
      }
      return MixEvent.of(kind, runId, message);
    } catch (IllegalArgumentException e) {
      return undecodable(message, String.valueOf(e.getMessage()));
    }
  }

  private Kind kind(String topic) {
    if (RunLog.isTopic(topics, topic)) {
      return Kind.CONTROL;
    }
    if (topic.equals(topics.runs())) {
      return Kind.COMMAND;
    }
    if (topic.startsWith(topics.feedback(""))) {
      return Kind.FEEDBACK;
    }
    if (topic.startsWith(topics.supply(""))) {
      return Kind.SUPPLY;
    }
    if (topic.startsWith(topics.segments(""))) {
      return Kind.SEGMENT;
    }
    throw new IllegalArgumentException("topic " + topic + " must not be read here");
  }

  private void requireLog(String topic, String runId) {
    String own = RunLog.of(topics, topic).topic(topics, runId);
    if (!topic.equals(own)) {
      throw new IllegalArgumentException(
          "the log of run '" + runId + "' is not " + topic + ", it must be " + own);
    }
  }

  /** Who may write to one run's feedback decides nothing of another's. */
  private void requireFeedback(String topic, String runId) {
    if (!isFeedbackOf(topic, runId)) {
      throw new IllegalArgumentException(
          "topic %s must not hold feedback of run '%s'".formatted(topic, runId));
    }
  }

  private boolean isFeedbackOf(String topic, String runId) {
    return topic.equals(topics.feedback(Topics.runOf(runId)));
  }

  private MixEvent undecodable(ConsumerRecord<byte[], byte[]> message, String reason) {
    String key = key(message);
    boolean others =
        message.topic().startsWith(topics.feedback("")) && !isFeedbackOf(message.topic(), key);
    return MixEvent.undecodable(others ? "" : key, message, reason);
  }

  /** Writers use the run's id as key, so that a record is decoded where its run is. */
  private static String key(ConsumerRecord<byte[], byte[]> message) {
    byte[] key = message.key();
    boolean named = key != null && key.length <= MixEvent.MAX_RUN_ID;
    return named ? new String(key, StandardCharsets.UTF_8) : "";
  }

  @Override
  public TypeInformation<MixEvent> getProducedType() {
    return TypeInformation.of(MixEvent.class);
  }
}
