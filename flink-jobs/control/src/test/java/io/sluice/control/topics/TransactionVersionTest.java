package io.sluice.control.topics;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.topics.TransactionVersion.Features;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.junit.jupiter.api.Test;

final class TransactionVersionTest {
  private static Features at(int version) {
    return () -> Map.of("transaction.version", version, "metadata.version", 29);
  }

  private static Features failing(RuntimeException cause) {
    return () -> {
      throw new ExecutionException(cause);
    };
  }

  @Test
  void takesBrokersThatKeepTransactionsWhole() {
    assertThatCode(() -> TransactionVersion.require(at(2))).doesNotThrowAnyException();
    assertThatCode(() -> TransactionVersion.require(at(3))).doesNotThrowAnyException();
  }

  @Test
  void refusesBrokersThatCanTearOneAndSaysHowToRaiseThem() {
    assertThatThrownBy(() -> TransactionVersion.require(at(1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "the brokers' feature transaction.version must be at least 2, or a producer that is"
                + " replaced can lose or tear a transaction of blocks (KIP-890): 1. Raise it with"
                + " 'kafka-features.sh --bootstrap-server HOST:PORT upgrade --feature"
                + " transaction.version=2', which brokers of Kafka 4.0 and later can");
    assertThatThrownBy(() -> TransactionVersion.require(Map::of))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("(KIP-890): 0.");
  }

  @Test
  void goesOnWhereItMayNotAsk() {
    for (RuntimeException cause :
        new RuntimeException[] {
          new ClusterAuthorizationException("no"), new UnsupportedVersionException("old")
        }) {
      assertThatCode(() -> TransactionVersion.require(failing(cause))).doesNotThrowAnyException();
    }
    assertThatThrownBy(() -> TransactionVersion.require(failing(new TimeoutException("late"))))
        .hasRootCauseInstanceOf(TimeoutException.class);
  }
}
