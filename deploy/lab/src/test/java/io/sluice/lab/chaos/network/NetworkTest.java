package io.sluice.lab.chaos.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NetworkTest {
  private static final int NOT_SOON = 50;
  private static final long SEED = 1;
  private static final List<Long> HERE = List.of(ProcessHandle.current().pid());

  private final Network network = new Network();
  private ServerSocket server;
  private int relayed;

  @BeforeEach
  void listen() throws IOException {
    server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    relayed = network.applyAsInt(server.getLocalPort());
  }

  @AfterEach
  void close() throws IOException {
    network.close();
    server.close();
  }

  @Test
  void carriesBytesBothWaysAndTheEnd() throws IOException {
    try (Socket client = connect();
        Socket accepted = server.accept()) {
      client.getOutputStream().write(1);
      assertThat(accepted.getInputStream().read()).isEqualTo(1);
      accepted.getOutputStream().write(2);
      assertThat(client.getInputStream().read()).isEqualTo(2);
      accepted.close();
      assertThat(client.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void keepsWhatIsSentOneWayUntilTheFailureEnds() throws IOException {
    assumeTrue(Network.isKnown());
    try (Socket client = connect();
        Socket accepted = server.accept()) {
      Socket held = areRequestsHeld() ? client : accepted;
      Socket free = areRequestsHeld() ? accepted : client;
      try (Network.Failure failure = network.fail(HERE, new Random(SEED)).orElseThrow()) {
        assertThat(failure.from()).isEqualTo(failure.to()).isEqualTo(HERE.get(0));
        free.getOutputStream().write(1);
        assertThat(held.getInputStream().read()).isEqualTo(1);
        held.getOutputStream().write(2);
        free.setSoTimeout(NOT_SOON);
        assertThatThrownBy(() -> free.getInputStream().read())
            .isInstanceOf(SocketTimeoutException.class);
      }
      free.setSoTimeout(0);
      assertThat(free.getInputStream().read()).isEqualTo(2);
    }
  }

  @Test
  void keepsAlsoWhatGoesOverANewConnection() throws IOException {
    assumeTrue(Network.isKnown());
    try (Socket before = connect();
        Socket accepted = server.accept();
        Network.Failure failure = network.fail(HERE, new Random(SEED)).orElseThrow();
        Socket later = connect();
        Socket also = server.accept()) {
      Socket held = areRequestsHeld() ? later : also;
      Socket free = areRequestsHeld() ? also : later;
      free.getOutputStream().write(1);
      assertThat(held.getInputStream().read()).isEqualTo(1);
      held.getOutputStream().write(2);
      free.setSoTimeout(NOT_SOON);
      assertThatThrownBy(() -> free.getInputStream().read())
          .isInstanceOf(SocketTimeoutException.class);
    }
  }

  @Test
  void refusesLikeAProcessThatIsNotThere() throws IOException {
    server.close();
    try (Socket client = connect()) {
      assertThat(client.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void findsNobodyWhereNobodyIsConnected() {
    assertThat(network.fail(HERE, new Random(1))).isEmpty();
    assertThat(network.fail(List.of(), new Random(1))).isEmpty();
  }

  /** Which direction the seed chooses, after the only pair. */
  private static boolean areRequestsHeld() {
    Random random = new Random(SEED);
    random.nextInt(1);
    return random.nextBoolean();
  }

  private Socket connect() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), relayed);
  }
}
