package io.sluice.corpus.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * A file of this machine.
 *
 * @param path where it is, as it was named
 * @param bytes its size when it was found
 * @param version when it was changed last, then
 */
public record LocalFile(Path path, long bytes, String version) implements StoredFile {
  /** The file at a path. */
  public static LocalFile of(Path path) throws IOException {
    BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
    return new LocalFile(path, now.size(), now.lastModifiedTime().toString());
  }

  @Override
  public String origin() {
    return path.toString();
  }

  @Override
  public String location() {
    return location(path);
  }

  /** The absolute path that a file is called by; links in it stay. */
  public static String location(Path path) {
    return path.toAbsolutePath().normalize().toString();
  }

  @Override
  public String name() {
    return String.valueOf(path.getFileName());
  }

  @Override
  public boolean mayGrow() {
    return true;
  }

  @Override
  public InputStream open(long from) throws IOException {
    if (from == 0) {
      return Files.newInputStream(path);
    }
    FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
    return Channels.newInputStream(channel.position(from));
  }

  @Override
  public FileBytes bytesAnywhere() throws IOException {
    FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
    return new ChannelBytes(channel, channel.size());
  }

  @Override
  public StoredFile beside(String name) throws IOException {
    return of(path.resolveSibling(name));
  }

  private record ChannelBytes(FileChannel channel, long size) implements FileBytes {
    @Override
    public int read(ByteBuffer target, long place) throws IOException {
      return channel.read(target, place);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
