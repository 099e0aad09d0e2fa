package io.sluice.jobs.prepare.tokenizer;

import io.sluice.control.topics.TokenizerFiles;
import io.sluice.schema.KafkaAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the content of a tokenizer's file is found by its SHA-256: under the file's own name on
 * this machine, in this machine's cache, or in the deployment's topic, from which it goes to the
 * cache. Whatever has that digest is the file, so a file that was changed or deleted under its name
 * does not matter.
 */
public final class TokenizerStore {
  private static final Logger LOG = LoggerFactory.getLogger(TokenizerStore.class);
  private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

  private final Path cache;
  private final Topic topic;

  /** What the deployment's topic says of a digest. */
  @FunctionalInterface
  interface Topic {
    /**
     * The content; empty if it is not there.
     *
     * @throws IllegalArgumentException if what is there cannot be used
     */
    Optional<byte[]> find(String sha256);
  }

  TokenizerStore(Path cache, Topic topic) {
    this.cache = cache;
    this.topic = topic;
  }

  /** The files of a deployment, with the cache that this process uses. */
  public static TokenizerStore of(KafkaAccess kafka) {
    Path cache = cache(System.getenv(), Path.of(System.getProperty("user.home")));
    return new TokenizerStore(cache, new TokenizerFiles(kafka)::find);
  }

  /**
   * Where a process keeps the files that it has fetched.
   *
   * @param environment its variables
   * @param home its user's folder
   */
  static Path cache(Map<String, String> environment, Path home) {
    String own = environment.getOrDefault("SLUICE_CACHE", "");
    String shared = environment.getOrDefault("XDG_CACHE_HOME", "");
    Path caches = shared.isEmpty() ? home.resolve(".cache") : Path.of(shared);
    return (own.isEmpty() ? caches.resolve("sluice") : Path.of(own)).resolve("tokenizers");
  }

  /**
   * The content of that digest.
   *
   * @param name of the tokenizer, which may be a file of this machine
   * @throws IllegalArgumentException if it is nowhere, naming the tokenizer, the digest and why
   */
  public byte[] content(String name, String sha256) {
    if (!SHA256.matcher(sha256).matches()) {
      throw new IllegalArgumentException(
          "tokenizerSha256 must be 64 digits of hex: found '" + sha256 + "'");
    }
    return named(name, sha256)
        .or(() -> cached(sha256))
        .orElseGet(
            () -> {
              byte[] content = fetched(name, sha256);
              keep(sha256, content);
              return content;
            });
  }

  private static Optional<byte[]> named(String name, String sha256) {
    try {
      return Tokenizers.file(name).flatMap(file -> ofDigest(file, sha256));
    } catch (IllegalArgumentException e) {
      LOG.debug("{} is not on this machine: {}", name, e.getMessage());
      return Optional.empty();
    }
  }

  private Optional<byte[]> cached(String sha256) {
    return ofDigest(file(sha256), sha256);
  }

  private static Optional<byte[]> ofDigest(Path file, String sha256) {
    try {
      if (Files.isRegularFile(file)) {
        byte[] content = Files.readAllBytes(file);
        return TokenizerFiles.sha256(content).equals(sha256)
            ? Optional.of(content)
            : Optional.empty();
      }
    } catch (IOException e) {
      LOG.debug("{} cannot be read", file, e);
    }
    return Optional.empty();
  }

  private byte[] fetched(String name, String sha256) {
    String why = "it is neither under that name on this machine nor in the topic of tokenizers";
    try {
      Optional<byte[]> found = topic.find(sha256);
      if (found.isPresent()) {
        return found.get();
      }
    } catch (IllegalArgumentException e) {
      why = e.getMessage();
    }
    throw new IllegalArgumentException(
        String.format(
            "tokenizer '%s' with SHA-256 %s cannot be used: %s; 'sluice dataset apply' on a machine"
                + " that has the file puts it into the topic",
            name, sha256, why));
  }

  /** Puts the content into the cache, whole or not at all. */
  private void keep(String sha256, byte[] content) {
    try {
      Files.createDirectories(cache);
      Path written = Files.createTempFile(cache, sha256, ".tmp");
      try {
        Files.write(written, content);
        Files.move(
            written,
            file(sha256),
            StandardCopyOption.ATOMIC_MOVE,
            StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(written);
      }
    } catch (IOException e) {
      LOG.info("the tokenizer's file {} is not kept in {}: {}", sha256, cache, e.toString());
    }
  }

  private Path file(String sha256) {
    return cache.resolve(sha256 + ".json");
  }
}
