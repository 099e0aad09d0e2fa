package io.sluice.jobs.mix.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class StreamSinkSettingsTest {
  @Test
  void everyKeyIsTaken() {
    assertThat(StreamSinkSettings.defaults().withDeliveryTimeout(Duration.ofSeconds(9)))
        .hasToString(
            "StreamSinkSettings[deliveryTimeout=PT9S, flushPatience=PT2S, requestTimeout=PT3S,"
                + " topicCheck=PT1S, linger=PT0.005S, batchBytes=262144, bufferBytes=67108864,"
                + " maxRequestBytes=33554432]");
  }

  @Test
  void everyKeyHasARange() {
    assertRefused("delivery timeout must be at least 1 s: PT0.9S", 900, 2, 300, 10, 5, 1, 1, 1);
    assertRefused("flush patience must be at least 1 ms: PT0S", 9000, 0, 300, 10, 5, 1, 1, 1);
    assertRefused("request timeout must be at least 100 ms: PT0.09S", 9000, 2, 90, 10, 5, 1, 1, 1);
    assertRefused("topic check must be at least 10 ms: PT0.001S", 9000, 2, 300, 1, 5, 1, 1, 1);
    assertRefused("linger must be at least 0 ms: PT-0.001S", 9000, 2, 300, 10, -1, 1, 1, 1);
    assertRefused("batch must be at least 1 byte: 0", 9000, 2, 300, 10, 5, 0, 1, 1);
    assertRefused("buffer must be at least a batch of 2 bytes: 1", 9000, 2, 300, 10, 5, 2, 1, 1);
    assertRefused("request must be at least 1 byte: 0", 9000, 2, 300, 10, 5, 1, 1, 0);
  }

  private static void assertRefused(
      String message,
      long delivery,
      long patience,
      long request,
      long check,
      long linger,
      int batch,
      long buffer,
      int largest) {
    assertThatThrownBy(
            () ->
                new StreamSinkSettings(
                    Duration.ofMillis(delivery),
                    Duration.ofMillis(patience),
                    Duration.ofMillis(request),
                    Duration.ofMillis(check),
                    Duration.ofMillis(linger),
                    batch,
                    buffer,
                    largest))
        .hasMessage("stream sink's " + message);
  }
}
