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
      Random first = new Random(1);
      boolean requests = new Random(1).ints(2).skip(1).findFirst().orElseThrow() < 0;
      Socket held = requests ? client : accepted;
      Socket free = requests ? accepted : client;
      try (Network.Failure failure = network.fail(HERE, first).orElseThrow()) {
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
        Network.Failure failure = network.fail(HERE, new Random(1)).orElseThrow();
        Socket later = connect();
        Socket also = server.accept()) {
      also.getOutputStream().write(1);
      later.getOutputStream().write(1);
      later.setSoTimeout(NOT_SOON);
      also.setSoTimeout(NOT_SOON);
      assertThat(arrives(later) ^ arrives(also)).as("one of the two directions").isTrue();
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

  private static boolean arrives(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() == 1;
    } catch (SocketTimeoutException e) {
      return false;
    }
  }

  private Socket connect() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), relayed);
  }
}
