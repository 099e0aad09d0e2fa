package io.sluice.service.broker;

import io.sluice.control.error.BadInputException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** TCP ports of the loopback interface. */
public final class Ports {
  private Ports() {}

  /** A port that nobody listens on at this moment. */
  public static int free() {
    try (ServerSocket socket = listen(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException("no free port on " + EmbeddedBroker.HOST, e);
    }
  }

  /**
   * The port itself.
   *
   * @throws BadInputException if it is no port or somebody listens on it
   */
  static int requireFree(int port) {
    if (port < 1 || port > 65_535) {
      throw new BadInputException("port must be from 1 to 65535, or 0 for any: " + port);
    }
    try (ServerSocket socket = listen(port)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new BadInputException(
          "port " + port + " cannot be used (" + e.getMessage() + "): free it or choose another",
          e);
    }
  }

  private static ServerSocket listen(int port) throws IOException {
    return new ServerSocket(port, 1, InetAddress.getAllByName(EmbeddedBroker.HOST)[0]);
  }
}
