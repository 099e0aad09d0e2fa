package io.sluice.service.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PortsTest {
  @Test
  void freePortsAreOthersEachTimeAndNoneThatConnectionsAreGiven() {
    Set<Integer> found = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      int port = Ports.free();
      assertThat(port).isBetween(10_000, 32_767);
      assertThat(found.add(port)).as("port %d is found once", port).isTrue();
    }
  }

  @Test
  void aPortThatSomebodyListensOnIsPassedOver() throws IOException {
    int taken = Ports.free() + 1;
    try (ServerSocket here = new ServerSocket(taken, 1, InetAddress.getLoopbackAddress())) {
      assertThat(Ports.free()).isNotEqualTo(here.getLocalPort());
    }
  }
}
