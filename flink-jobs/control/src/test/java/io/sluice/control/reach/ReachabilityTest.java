package io.sluice.control.reach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.UnreachableException;
import io.sluice.control.reach.Contact.Answered;
import io.sluice.control.reach.Contact.Connected;
import io.sluice.control.reach.Contact.Failed;
import io.sluice.control.reach.Contact.Versions;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Topics;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReachabilityTest {
  private static final String NOBODY = "127.0.0.1:1";
  private static final Duration LIMIT = Duration.ofMillis(500);

  /** For who answers: a busy machine may take its time. */
  private static final Duration LONG = Duration.ofMinutes(2);

  @Test
  void aBrokerSaysWhichVersionsItTakes() throws IOException {
    try (TestingServer broker = TestingServer.broker()) {
      assertThat(plain(LONG).ask(List.of(broker.address())))
          .containsExactly(
              new Answered(
                  broker.address(),
                  Map.of((short) 0, new Versions(3, 11), (short) 18, new Versions(0, 4))));
    }
  }

  @Test
  void oneThatAnswersIsEnoughAndTheOthersAreNotWaitedFor() throws IOException {
    try (TestingServer broker = TestingServer.broker()) {
      assertThatCode(() -> plain(LONG).requireAny(List.of(NOBODY, broker.address()), "?"))
          .doesNotThrowAnyException();
    }
  }

  @Test
  void oneThatIsSlowIsNotGivenUp() throws IOException {
    try (TestingServer slow = new TestingServer(socket -> {})) {
      assertThat(plain(LIMIT).ask(List.of(slow.address())))
          .containsExactly(new Connected(slow.address()));
      assertThatCode(() -> plain(LIMIT).requireAny(List.of(slow.address()), "?"))
          .doesNotThrowAnyException();
    }
  }

  @Test
  void aListenerWithTlsIsOnlyConnectedTo() throws IOException {
    try (TestingServer closing = new TestingServer(Socket::close)) {
      KafkaAccess access =
          new KafkaAccess(
              closing.address(), Topics.standard(), Map.of("security.protocol", "sasl_ssl"));
      assertThat(new Reachability(access, LONG).ask(List.of(closing.address())))
          .containsExactly(new Connected(closing.address()));
    }
  }

  @Test
  void whoIsNotThereIsNamedWithTheReasonAndWhatToDo() {
    assertThatThrownBy(
            () ->
                plain(LIMIT)
                    .requireAny(List.of(NOBODY, "no-such-host.invalid:9092"), "start it again"))
        .isInstanceOf(UnreachableException.class)
        .hasMessageStartingWith("Kafka is unreachable, tried for 500ms: 127.0.0.1:1: ")
        .hasMessageContaining("refused")
        .hasMessageContaining("no-such-host.invalid:9092: ")
        .hasMessageEndingWith("; start it again");
  }

  @Test
  void whoDoesNotSpeakKafkasProtocolIsNoBroker() throws IOException {
    try (TestingServer closing = new TestingServer(Socket::close);
        TestingServer web =
            new TestingServer(
                socket ->
                    socket
                        .getOutputStream()
                        .write("HTTP/1.1 400 Bad Request\r\n".getBytes(StandardCharsets.UTF_8)))) {
      assertThat(plain(LIMIT).ask(List.of(closing.address(), web.address())))
          .hasSize(2)
          .allSatisfy(
              contact ->
                  assertThat(contact)
                      .isInstanceOfSatisfying(
                          Failed.class,
                          failed ->
                              assertThat(failed.reason())
                                  .contains("security.protocol in --kafka")));
    }
  }

  @Test
  void aPortThatThereCannotBeIsBadInput() {
    assertThatThrownBy(() -> plain(LIMIT).ask(List.of("localhost:70000")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("port must be from 1 to 65535: 'localhost:70000'");
  }

  @Test
  void serversAreNamedWithCommasBetween() {
    assertThat(Reachability.servers("a:1, [::1]:2,a:1")).containsExactly("a:1", "[::1]:2");
  }

  private static Reachability plain(Duration limit) {
    return new Reachability(KafkaAccess.local(NOBODY), limit);
  }
}
