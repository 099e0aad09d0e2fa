package io.sluice.service.broker;

import io.sluice.control.error.BadInputException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** TCP ports of the loopback interface. */
public final class Ports {
  private static final int LOWEST = 10_000;

  /** Systems give outgoing connections ports from 32,768 or 49,152 on. */
  private static final int COUNT = 32_768 - LOWEST;

  private static final AtomicInteger NEXT =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(COUNT));

  private Ports() {}

  /**
   * A port that nobody listens on at this moment, and that no connection is given before somebody
   * does; not one of those that were found before.
   */
  public static int free() {
    for (int tried = 0; tried < COUNT; tried++) {
      int port = LOWEST + Math.floorMod(NEXT.getAndIncrement(), COUNT);
      try (ServerSocket socket = listen(port)) {
        return socket.getLocalPort();
      } catch (BindException e) {
        // Somebody has it: perhaps nobody has the next.
      } catch (IOException e) {
        throw new UncheckedIOException("cannot listen on " + EmbeddedBroker.HOST, e);
      }
    }
    throw new IllegalStateException("no free port on " + EmbeddedBroker.HOST);
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
