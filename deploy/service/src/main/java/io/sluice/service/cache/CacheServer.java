package io.sluice.service.cache;

import io.sluice.control.error.BadInputException;
import io.sluice.schema.segment.CacheFolder;
import io.sluice.schema.segment.CacheFolder.Answer;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's cache: keeps objects of stores in a folder for the trainers of its user, who ask for
 * them over the folder's socket.
 */
public final class CacheServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CacheServer.class);
  private static final int MOST_CONNECTIONS = 512;

  private final CacheDirectory directory;
  private final CacheRequests requests;
  private final ServerSocketChannel server;
  private final Semaphore places = new Semaphore(MOST_CONNECTIONS);
  private final Set<SocketChannel> connections = ConcurrentHashMap.newKeySet();

  private CacheServer(
      CacheDirectory directory, CacheRequests requests, ServerSocketChannel server) {
    this.directory = directory;
    this.requests = requests;
    this.server = server;
  }

  /**
   * Opens a cache, which answers once {@link #serve} runs.
   *
   * @throws BadInputException if its folder cannot be one, or a store cannot be reached as it is
   *     set
   */
  public static CacheServer open(CacheSettings settings) {
    CacheDirectory directory = CacheDirectory.take(settings.folder());
    CacheRequests requests = null;
    try {
      ObjectCache cache = new ObjectCache(directory, settings.size(), System::nanoTime);
      requests = new CacheRequests(settings, directory, cache);
      Path socket = directory.folder().socket();
      Files.deleteIfExists(socket); // of a process that is no more: this one has the lock
      ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      server.bind(UnixDomainSocketAddress.of(socket));
      return new CacheServer(directory, requests, server);
    } catch (IOException e) {
      close(requests, directory);
      throw new BadInputException(
          "cache folder cannot be used: " + settings.folder() + ": " + e, e);
    } catch (RuntimeException e) {
      close(requests, directory);
      throw e;
    }
  }

  private static void close(@Nullable CacheRequests requests, CacheDirectory directory) {
    if (requests != null) {
      requests.close();
    }
    directory.close();
  }

  /** Answers until the thread is interrupted. */
  public void serve() throws InterruptedException {
    while (true) {
      SocketChannel connection = accepted();
      connections.add(connection);
      Thread thread = new Thread(() -> converse(connection), "cache connection");
      thread.setDaemon(true);
      thread.start();
    }
  }

  private SocketChannel accepted() throws InterruptedException {
    try {
      return server.accept();
    } catch (ClosedByInterruptException e) {
      throw new InterruptedException();
    } catch (IOException e) {
      throw new UncheckedIOException("no connection can be taken any more", e);
    }
  }

  private void converse(SocketChannel connection) {
    boolean admitted = places.tryAcquire();
    try (connection;
        InputStream in = new BufferedInputStream(Channels.newInputStream(connection));
        OutputStream out = Channels.newOutputStream(connection)) {
      if (!admitted) {
        write(out, Answer.ERROR.line("at most " + MOST_CONNECTIONS + " may be connected"));
      } else if (!CacheFolder.GREETING.equals(line(in))) {
        write(out, Answer.ERROR.line("the first line must be " + CacheFolder.GREETING));
      } else {
        write(out, Answer.OK.line(CacheFolder.GREETING));
        for (String asked = line(in); !asked.isEmpty(); asked = line(in)) {
          write(out, requests.answer(connection, asked));
        }
      }
    } catch (IOException e) {
      LOG.debug("a connection has ended", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      requests.gone(connection);
      connections.remove(connection);
      if (admitted) {
        places.release();
      }
    }
  }

  /** A line without its end; '' at the end of all, and for one that is too long. */
  private static String line(InputStream in) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    while (bytes.size() < CacheFolder.LONGEST_LINE) {
      int next = in.read();
      if (next == '\n') {
        return bytes.toString(StandardCharsets.UTF_8);
      }
      if (next < 0) {
        return "";
      }
      bytes.write(next);
    }
    return "";
  }

  private static void write(OutputStream out, String answer) throws IOException {
    byte[] line = answer.replaceAll("\\p{Cntrl}", " ").getBytes(StandardCharsets.UTF_8);
    out.write(line, 0, Math.min(line.length, CacheFolder.LONGEST_LINE - 1));
    out.write('\n');
    out.flush();
  }

  @Override
  public void close() {
    try {
      server.close();
      for (SocketChannel connection : connections) {
        connection.close();
      }
      Files.deleteIfExists(directory.folder().socket());
    } catch (IOException e) {
      LOG.warn("the socket cannot be removed", e);
    }
    close(requests, directory);
  }
}
