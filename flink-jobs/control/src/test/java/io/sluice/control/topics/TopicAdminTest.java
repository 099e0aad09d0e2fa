package io.sluice.control.topics;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schema.KafkaAccess;
import io.sluice.schema.KafkaUnreachableException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TopicAdminTest {
  @Test
  void saysWhichBrokerDidNotAnswer() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        TopicAdmin admin =
            new TopicAdmin(
                KafkaAccess.local("127.0.0.1:" + silent.getLocalPort()), Duration.ofMillis(500))) {
      assertThatThrownBy(admin::ensureService)
          .isInstanceOf(KafkaUnreachableException.class)
          .hasMessageStartingWith(
              "Kafka is unreachable: no answer from 127.0.0.1:"
                  + silent.getLocalPort()
                  + " within 0.5 s");
    }
  }

  @Test
  void saysWhichNameCannotBeResolved() {
    assertThatThrownBy(
            () ->
                new TopicAdmin(
                    KafkaAccess.local("no-such-host.invalid:9092"), Duration.ofMillis(500)))
        .isInstanceOf(KafkaUnreachableException.class)
        .hasMessageStartingWith("Kafka is unreachable: no answer from no-such-host.invalid:9092");
  }
}
