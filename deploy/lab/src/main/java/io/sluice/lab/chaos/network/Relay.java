package io.sluice.lab.chaos.network;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Takes the connections to one process, and passes on what goes over them. */
final class Relay implements AutoCloseable {
  private static final int WAITING = 100;

  private final int target;
  private final ServerSocket socket;
  private final List<Link> links = new CopyOnWriteArrayList<>();
  private volatile LinkWatch watch = link -> {};

  /** Told of each new connection before anything goes over it. */
  interface LinkWatch {
    void opens(Link link);
  }

  /**
   * A relay on a port of its own.
   *
   * @param target port of the process
   */
  Relay(int target) {
    this.target = target;
    try {
      this.socket = new ServerSocket(0, WAITING, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException("no free port for a relay", e);
    }
    Thread thread = new Thread(this::accept, "relay-" + target);
    thread.setDaemon(true);
    thread.start();
  }

  /** Port that it listens on. */
  int port() {
    return socket.getLocalPort();
  }

  /** Port of the process. */
  int target() {
    return target;
  }

  /** Connections that are open. */
  List<Link> links() {
    links.removeIf(Link::isClosed);
    return List.copyOf(links);
  }

  void watch(LinkWatch next) {
    watch = next;
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        connect(socket.accept());
      } catch (IOException closed) {
        return;
      }
    }
  }

  /** A process that is not there refuses the connection; so does this. */
  private void connect(Socket client) throws IOException {
    Socket server;
    try {
      server = new Socket(InetAddress.getLoopbackAddress(), target);
      server.setTcpNoDelay(true);
      client.setTcpNoDelay(true);
    } catch (IOException refused) {
      client.close();
      return;
    }
    Link link = new Link(client, server);
    links.removeIf(Link::isClosed);
    links.add(link);
    watch.opens(link);
    link.open();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot close a relay", e);
    }
    links.forEach(Link::close);
  }
}
