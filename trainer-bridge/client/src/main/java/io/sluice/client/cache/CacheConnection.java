package io.sluice.client.cache;

import io.sluice.schema.segment.CacheFolder;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/** Lines to a cache's socket and their answers, none of which is waited for longer than a time. */
final class CacheConnection implements AutoCloseable {
  private final SocketChannel channel;
  private final Selector selector;
  private final SelectionKey key;
  private final Duration patience;
  private final ByteBuffer received = ByteBuffer.allocate(CacheFolder.LONGEST_LINE);

  private CacheConnection(SocketChannel channel, Selector selector, Duration patience)
      throws IOException {
    this.channel = channel;
    this.selector = selector;
    this.patience = patience;
    channel.configureBlocking(false);
    this.key = channel.register(selector, SelectionKey.OP_READ);
  }

  /** Connects to a socket, whose owner answers as a cache does. */
  static CacheConnection open(Path socket, Duration patience) throws IOException {
    SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
    Selector selector = null;
    try {
      selector = Selector.open();
      CacheConnection connection = new CacheConnection(channel, selector, patience);
      String answer = connection.ask(CacheFolder.GREETING);
      if (!answer.equals(CacheFolder.Answer.OK.line(CacheFolder.GREETING))) {
        throw new IOException("it says '" + answer + "'");
      }
      return connection;
    } catch (IOException | RuntimeException e) {
      channel.close();
      if (selector != null) {
        selector.close();
      }
      throw e;
    }
  }

  /** The answer to a line. */
  String ask(String line) throws IOException {
    ByteBuffer sent = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
    long end = System.nanoTime() + patience.toNanos();
    while (sent.hasRemaining()) {
      if (channel.write(sent) == 0) {
        await(SelectionKey.OP_WRITE, end);
      }
    }
    received.clear();
    while (true) {
      int from = received.position();
      if (!received.hasRemaining()) {
        throw new IOException("an answer has more than " + CacheFolder.LONGEST_LINE + " bytes");
      }
      int read = channel.read(received);
      if (read < 0) {
        throw new EOFException("it has closed the connection");
      }
      if (read == 0) {
        await(SelectionKey.OP_READ, end);
      }
      for (int i = from; i < received.position(); i++) {
        if (received.get(i) == '\n') {
          return new String(received.array(), 0, i, StandardCharsets.UTF_8);
        }
      }
    }
  }

  private void await(int what, long end) throws IOException {
    key.interestOps(what);
    long left = (end - System.nanoTime()) / 1_000_000;
    if (left <= 0 || selector.select(left) == 0) {
      if (Thread.currentThread().isInterrupted()) {
        throw new IOException("it was not waited for: the thread is interrupted");
      }
      throw new SocketTimeoutException("no answer for " + patience.toSeconds() + " s");
    }
    selector.selectedKeys().clear();
  }

  @Override
  public void close() throws IOException {
    selector.close();
    channel.close();
  }
}
