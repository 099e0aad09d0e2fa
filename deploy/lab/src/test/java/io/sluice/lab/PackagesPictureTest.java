package io.sluice.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Holds the picture of packages against the code; {@code -Dsluice.write=true} draws it anew. */
final class PackagesPictureTest {
  private static final Path FILE = Path.of("../../docs/images/packages.svg");

  @Test
  void isDrawnFromTheCode() throws IOException {
    String picture = new PackagesPicture(MainClasses.read()).svg();
    if (Boolean.getBoolean("sluice.write")) {
      Files.writeString(FILE, picture);
    }
    assertThat(Files.readString(FILE))
        .as("the picture is stale: run this test with -Dsluice.write=true")
        .isEqualTo(picture);
  }
}
