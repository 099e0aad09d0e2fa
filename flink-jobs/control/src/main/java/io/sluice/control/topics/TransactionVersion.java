package io.sluice.control.topics;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The brokers' feature that keeps a transaction whole when its producer is fenced (KIP-890). Below
 * version 2 a request of the old producer that comes late becomes part of the new one's
 * transaction, or of none: blocks are lost or torn.
 */
public final class TransactionVersion {
  /** The feature's name. */
  public static final String FEATURE = "transaction.version";

  private static final Logger LOG = LoggerFactory.getLogger(TransactionVersion.class);
  private static final int LEAST = 2;

  private TransactionVersion() {}

  /** Asks brokers for the versions that their features are set to. */
  interface Features {
    /**
     * Versions by feature; one that is not there is at 0.
     *
     * @throws ExecutionException if they do not say
     */
    Map<String, Integer> versions() throws ExecutionException, InterruptedException;
  }

  /** What an admin's brokers say. */
  static Features of(Admin admin) {
    return () -> {
      Map<String, FinalizedVersionRange> found =
          admin.describeFeatures().featureMetadata().get().finalizedFeatures();
      FinalizedVersionRange range = found.get(FEATURE);
      return range == null ? Map.of() : Map.of(FEATURE, (int) range.maxVersionLevel());
    };
  }

  /**
   * Checks that blocks can be written to these brokers. Says so in the log where they may not be
   * asked.
   *
   * @throws IllegalStateException if a transaction could be torn
   * @throws ExecutionException if the brokers cannot be asked for another reason
   */
  static void require(Features features) throws ExecutionException, InterruptedException {
    OptionalInt version = ask(features);
    Optional<String> objection =
        version.isPresent() ? objection(version.getAsInt()) : Optional.empty();
    if (objection.isPresent()) {
      throw new IllegalStateException(objection.get());
    }
  }

  /**
   * What is wrong with brokers whose feature is at a version, and what to do; empty for nothing.
   */
  public static Optional<String> objection(int version) {
    return version >= LEAST
        ? Optional.empty()
        : Optional.of(
            "the brokers' feature "
                + FEATURE
                + " must be at least "
                + LEAST
                + ", or a producer that is replaced can lose or tear a transaction of blocks"
                + " (KIP-890): "
                + version
                + ". Raise it with 'kafka-features.sh --bootstrap-server HOST:PORT upgrade"
                + " --feature "
                + FEATURE
                + "="
                + LEAST
                + "', which brokers of Kafka 4.0 and later can");
  }

  private static OptionalInt ask(Features features)
      throws ExecutionException, InterruptedException {
    try {
      return OptionalInt.of(features.versions().getOrDefault(FEATURE, 0));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof AuthorizationException
          || e.getCause() instanceof UnsupportedVersionException) {
        LOG.warn(
            "The brokers do not say whether their feature {} is {} or more: below that, a producer"
                + " that is replaced can lose or tear a transaction of blocks (KIP-890): {}",
            FEATURE,
            LEAST,
            e.getCause().getMessage());
        return OptionalInt.empty();
      }
      throw e;
    }
  }
}
