package io.sluice.lab.reproduce.corpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sluice.control.error.BadInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DebianLibraryTest {
  @TempDir Path directory;

  @Test
  void everyPackageIsPinnedAndHasALicence() {
    List<PinnedSource> all = PinnedSource.all();
    assertThat(all).extracting(PinnedSource::domain).doesNotHaveDuplicates().contains("prose");
    for (PinnedSource source : all) {
      assertThat(source.sha256()).matches("[0-9a-f]{64}");
      assertThat(source.version()).isNotBlank();
      assertThat(source.licence()).isNotBlank();
    }
  }

  @Test
  void refusesAPackageWithOtherBytes() throws IOException {
    PinnedSource prose =
        PinnedSource.all().stream().filter(each -> each.domain().equals("prose")).findFirst().get();
    Path archive = Files.writeString(directory.resolve(prose.file()), "not it");
    List<String> said = new ArrayList<>();
    assertThatExceptionOfType(BadInputException.class)
        .isThrownBy(() -> new DebianLibrary(directory, said::add).sections("prose"))
        .withMessageStartingWith("package " + archive + " must have the SHA-256 that is pinned, ")
        .withMessageEndingWith("delete it, to fetch it again");
    assertThat(said).isEmpty();
  }

  @Test
  void namesADomainThatItDoesNotHave() {
    assertThatExceptionOfType(BadInputException.class)
        .isThrownBy(() -> new DebianLibrary(directory, said -> {}).sections("latin"))
        .withMessage("no package has the domain latin");
  }
}
