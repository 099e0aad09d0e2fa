package io.sluice.lab.reproduce.corpus;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.control.error.BadInputException;
import io.sluice.control.error.UnreachableException;
import io.sluice.control.topics.TokenizerFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * Texts of Debian's packages, fetched by {@code apt-get download} and unpacked by {@code dpkg-deb}
 * into a directory, where they stay.
 */
public final class DebianLibrary implements Library {
  private static final int LONGEST = 24 << 20;

  private final Path directory;
  private final Consumer<String> say;
  private final Map<String, List<Section>> read = new HashMap<>();

  /**
   * A library that fetches what is missing.
   *
   * @param directory of the packages
   * @param say told what is fetched
   */
  public DebianLibrary(Path directory, Consumer<String> say) {
    this.directory = directory;
    this.say = say;
  }

  @Override
  public String name() {
    return "debian";
  }

  @Override
  public List<String> domains() {
    return PinnedSource.all().stream().map(PinnedSource::domain).toList();
  }

  @Override
  public synchronized List<Section> sections(String domain) {
    return read.computeIfAbsent(domain, name -> read(source(name)));
  }

  private static PinnedSource source(String domain) {
    return PinnedSource.all().stream()
        .filter(each -> each.domain().equals(domain))
        .findFirst()
        .orElseThrow(() -> new BadInputException("no package has the domain " + domain));
  }

  private List<Section> read(PinnedSource source) {
    try {
      Path root = unpacked(source).resolve(source.folder());
      List<Path> files;
      try (Stream<Path> found = Files.walk(root)) {
        files =
            found
                .filter(file -> Files.isRegularFile(file) && isText(source, file))
                .sorted()
                .toList();
      }
      List<Section> sections = new ArrayList<>();
      for (Path file : files) {
        String text = source.form().text(content(file));
        sections.addAll(Section.of(root.relativize(file).toString(), text));
      }
      if (sections.isEmpty()) {
        throw new BadInputException("package " + source.name() + " has no text under " + root);
      }
      return sections;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read package " + source.name(), e);
    }
  }

  private static boolean isText(PinnedSource source, Path file) {
    return file.toString().endsWith(source.ending()) && !Files.isSymbolicLink(file);
  }

  private static String content(Path file) throws IOException {
    boolean packed = file.toString().endsWith("z");
    try (InputStream raw = Files.newInputStream(file);
        InputStream in = packed ? new GZIPInputStream(raw) : raw) {
      return new String(in.readNBytes(LONGEST), UTF_8);
    }
  }

  private Path unpacked(PinnedSource source) throws IOException {
    Path unpacked = directory.resolve(source.name() + "-" + source.sha256().substring(0, 12));
    if (Files.isDirectory(unpacked)) {
      return unpacked;
    }
    Files.createDirectories(directory);
    Path archive = directory.resolve(source.file());
    if (!Files.exists(archive)) {
      say.accept(
          "fetching " + source.name() + " " + source.version() + " (" + source.licence() + ")");
      run("apt-get", "-q", "download", source.name() + "=" + source.version());
    }
    requirePinned(source, archive);
    Path unfinished = Files.createTempDirectory(directory, "unpacking");
    run("dpkg-deb", "-x", archive.toString(), unfinished.toString());
    return Files.move(unfinished, unpacked);
  }

  private static void requirePinned(PinnedSource source, Path archive) throws IOException {
    String found = TokenizerFiles.sha256(Files.readAllBytes(archive));
    if (!found.equals(source.sha256())) {
      throw new BadInputException(
          "package "
              + archive
              + " must have the SHA-256 that is pinned, "
              + source.sha256()
              + ": "
              + found
              + "; delete it, to fetch it again");
    }
  }

  private void run(String... command) {
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .start();
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), UTF_8);
      if (process.waitFor() != 0) {
        throw new UnreachableException(
            String.join(" ", command)
                + " failed, which the corpora come by (--corpora project does without): "
                + said.strip());
      }
    } catch (IOException e) {
      throw new UnreachableException(
          command[0] + " is needed for Debian's texts (--corpora project does without): " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnreachableException("interrupted while " + command[0] + " ran", e);
    }
  }
}
