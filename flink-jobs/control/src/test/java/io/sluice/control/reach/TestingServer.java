package io.sluice.control.reach;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server on the loopback interface that does one thing with whoever connects. */
final class TestingServer implements AutoCloseable {
  private final ServerSocket listening;
  private final List<Socket> open = new CopyOnWriteArrayList<>();

  /** What is done with a connection; it stays open afterwards. */
  interface Manners {
    void meet(Socket socket) throws IOException;
  }

  TestingServer(Manners manners) throws IOException {
    listening = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
    Thread serving = new Thread(() -> serve(manners), "testing-server");
    serving.setDaemon(true);
    serving.start();
  }

  /** One that answers Kafka's first request, with versions of two requests. */
  static TestingServer broker() throws IOException {
    return new TestingServer(
        socket -> {
          DataInputStream in = new DataInputStream(socket.getInputStream());
          in.readFully(new byte[in.readInt()]);
          ByteBuffer answer = ByteBuffer.allocate(4 + 10 + 2 * 6);
          answer.putInt(10 + 2 * 6).putInt(1).putShort((short) 0).putInt(2);
          answer.putShort((short) 0).putShort((short) 3).putShort((short) 11);
          answer.putShort((short) 18).putShort((short) 0).putShort((short) 4);
          socket.getOutputStream().write(answer.array());
        });
  }

  String address() {
    return "127.0.0.1:" + listening.getLocalPort();
  }

  private void serve(Manners manners) {
    while (!listening.isClosed()) {
      try {
        Socket socket = listening.accept();
        open.add(socket);
        manners.meet(socket);
      } catch (IOException connectionOrServerEnded) {
        // The next connection may do better, unless the server is closed.
      }
    }
  }

  @Override
  public void close() {
    try {
      listening.close();
      for (Socket each : open) {
        each.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
