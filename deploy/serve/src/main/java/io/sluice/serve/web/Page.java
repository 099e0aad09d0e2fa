package io.sluice.serve.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The page's files, which are resources beside the classes. */
final class Page {
  /** Where they are on the class path. */
  static final String FOLDER = "io/sluice/serve/page";

  private Page() {}

  /** The file that the page begins with. */
  static String index() {
    return text(FOLDER + "/index.html");
  }

  /** A resource as text. */
  static String text(String resource) {
    try (InputStream in =
        Objects.requireNonNull(
            Page.class.getClassLoader().getResourceAsStream(resource), resource)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
