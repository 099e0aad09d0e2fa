package io.sluice.lab.reproduce.corpus;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;

/**
 * A Debian package whose files are one domain's text; its bytes are pinned, and it is never passed
 * on.
 *
 * @param domain that its text is
 * @param name of the package
 * @param version of Debian 12
 * @param architecture of the package
 * @param sha256 of the package's file
 * @param licence of the text
 * @param folder of the text within the package
 * @param ending of the names of its files
 * @param form how text is made of a file
 */
public record PinnedSource(
    String domain,
    @JsonProperty("package") String name,
    String version,
    String architecture,
    String sha256,
    String licence,
    String folder,
    String ending,
    TextForm form) {
  private static final List<PinnedSource> ALL = read("/io/sluice/lab/reproduce/sources.json");

  /** All of them, a domain each. */
  public static List<PinnedSource> all() {
    return ALL;
  }

  private static List<PinnedSource> read(String resource) {
    try (InputStream list = PinnedSource.class.getResourceAsStream(resource)) {
      return List.copyOf(
          new ObjectMapper().readValue(Objects.requireNonNull(list), new TypeReference<>() {}));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The name of the package's file, as {@code apt-get download} gives it. */
  String file() {
    return name + "_" + version.replace(":", "%3a") + "_" + architecture + ".deb";
  }
}
