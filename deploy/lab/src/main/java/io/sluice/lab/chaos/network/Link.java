package io.sluice.lab.chaos.network;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.EnumMap;
import java.util.Map;

/** A connection between two processes, of which each direction can be held up. */
final class Link implements AutoCloseable {
  private static final int BUFFER = 1 << 16;

  private final Socket client;
  private final Socket server;
  private final Map<Direction, Boolean> held = new EnumMap<>(Direction.class);
  private boolean closed;

  Link(Socket client, Socket server) {
    this.client = client;
    this.server = server;
  }

  /** Carries bytes until one of the two closes. */
  void open() {
    start(client, server, Direction.REQUESTS);
    start(server, client, Direction.ANSWERS);
  }

  /** Port from which it was opened. */
  int clientPort() {
    return client.getPort();
  }

  /** Keeps what comes from arriving, or lets it arrive. */
  synchronized void hold(Direction direction, boolean hold) {
    held.put(direction, hold);
    notifyAll();
  }

  private void start(Socket from, Socket to, Direction direction) {
    Thread thread = new Thread(() -> carry(from, to, direction), "link-" + clientPort());
    thread.setDaemon(true);
    thread.start();
  }

  private void carry(Socket from, Socket to, Direction direction) {
    byte[] buffer = new byte[BUFFER];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        awaitFree(direction);
        out.write(buffer, 0, read);
      }
      awaitFree(direction);
    } catch (IOException over) {
      // Whoever is left learns of it by the end of the other socket.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      close();
    }
  }

  private synchronized void awaitFree(Direction direction) throws InterruptedException {
    while (!closed && held.getOrDefault(direction, false)) {
      wait();
    }
  }

  synchronized boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    for (Socket socket : new Socket[] {client, server}) {
      try {
        socket.close();
      } catch (IOException e) {
        // It is not used any more.
      }
    }
  }
}
