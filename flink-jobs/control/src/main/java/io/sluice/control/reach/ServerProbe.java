package io.sluice.control.reach;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;

/**
 * One try at a server.
 *
 * @param server host and port, as {@code host:port} or {@code [address]:port}
 * @param tls whether its listener speaks TLS: then only that it takes connections is looked at
 */
record ServerProbe(String server, boolean tls) {
  private static final int LEAST_MILLIS = 50;

  /** Checks the port. */
  ServerProbe {
    int port = port(server);
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException("port must be from 1 to 65535: '" + server + "'");
    }
  }

  private static int port(String server) {
    return Integer.parseInt(server.substring(server.lastIndexOf(':') + 1));
  }

  private String host() {
    return server.substring(0, server.lastIndexOf(':')).replaceAll("[\\[\\]]", "");
  }

  /** Asks it at each of its addresses until one does not fail. */
  Contact ask(Duration wait) {
    long deadline = System.nanoTime() + wait.toNanos();
    Contact last;
    try {
      InetAddress[] addresses = InetAddress.getAllByName(host());
      int left = addresses.length;
      do {
        InetAddress next = addresses[addresses.length - left];
        last = ask(next, remaining(deadline) / left, deadline);
        left--;
      } while (left > 0 && last instanceof Contact.Failed);
      return last;
    } catch (UnknownHostException e) {
      return new Contact.Failed(server, "its name is not known to this machine");
    }
  }

  private Contact ask(InetAddress address, int connectMillis, long deadline) {
    try (Socket socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(address, port(server)), Math.max(LEAST_MILLIS, connectMillis));
      return tls ? new Contact.Connected(server) : talk(socket, deadline);
    } catch (SocketTimeoutException e) {
      return new Contact.Failed(server, "no connection, and no refusal either");
    } catch (IOException e) {
      return new Contact.Failed(server, String.valueOf(e.getMessage()));
    }
  }

  private Contact talk(Socket socket, long deadline) throws IOException {
    socket.setSoTimeout(remaining(deadline));
    try {
      VersionsRequest.send(socket.getOutputStream());
      return new Contact.Answered(server, VersionsRequest.read(socket.getInputStream()));
    } catch (SocketTimeoutException slow) {
      return new Contact.Connected(server);
    } catch (IOException notKafkas) {
      return new Contact.Failed(
          server,
          "it takes the connection and does not speak Kafka's protocol there: a listener with TLS"
              + " needs security.protocol in --kafka-config");
    }
  }

  private static int remaining(long deadline) {
    long millis = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
    return (int) Math.max(LEAST_MILLIS, millis);
  }
}
