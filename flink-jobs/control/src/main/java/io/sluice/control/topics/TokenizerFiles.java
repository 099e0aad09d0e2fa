package io.sluice.control.topics;

import io.sluice.schema.KafkaAccess;
import io.sluice.schema.KafkaUnreachableException;
import io.sluice.schema.TopicReader;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of the deployment's tokenizers, by the SHA-256 of their content: in parts on the {@code
 * tokenizers} topic. Every method throws {@link KafkaUnreachableException} when no broker answers
 * in time.
 */
public record TokenizerFiles(KafkaAccess kafka) {
  /** Largest file. */
  public static final int MOST_BYTES = 64 << 20;

  static final Logger LOG = LoggerFactory.getLogger(TokenizerFiles.class);
  private static final Duration WAIT = Duration.ofSeconds(15);

  /** SHA-256 of a file's content, in hex. */
  public static String sha256(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Writes a file unless all of it is there; returns once the broker has it. The topic must exist.
   *
   * @throws IllegalArgumentException if it is larger than {@link #MOST_BYTES}
   */
  public void publish(byte[] content) {
    requireSize(content.length);
    if (!isWhole(sha256(content))) {
      RecordWriter.write(kafka, kafka.topics().tokenizers(), TokenizerParts.of(content), WAIT);
    }
  }

  /**
   * Checks that a file can go into the topic.
   *
   * @throws IllegalArgumentException if it has more than {@link #MOST_BYTES}
   */
  static void requireSize(int bytes) {
    if (bytes > MOST_BYTES) {
      throw new IllegalArgumentException(
          "a tokenizer.json must have at most " + MOST_BYTES + " bytes: found " + bytes);
    }
  }

  private boolean isWhole(String sha256) {
    try {
      return find(sha256).isPresent();
    } catch (IllegalArgumentException spoilt) {
      LOG.info("{}: it is written again", spoilt.getMessage());
      return false;
    }
  }

  /**
   * The content of a file; empty if nothing of it is there.
   *
   * @param sha256 of the content, in hex
   * @throws IllegalArgumentException if what is there is not all of it, or is not its content
   */
  public Optional<byte[]> find(String sha256) {
    TokenizerParts parts = new TokenizerParts(sha256);
    try (TopicReader reader = TopicReader.committed(kafka)) {
      reader.catchUp(kafka.topics().tokenizers(), WAIT, message -> parts.take(message.value()));
    }
    return parts.content();
  }

  /** Takes a file out; returns once the broker has it. */
  public void delete(String sha256) {
    Optional<byte[]> content = find(sha256);
    if (content.isPresent()) {
      RecordWriter.delete(
          kafka, kafka.topics().tokenizers(), TokenizerParts.of(content.get()).keySet(), WAIT);
    }
  }
}
