package io.sluice.jobs.mix.reweight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.jobs.mix.reweight.MixEvent.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The job of this release takes what trainers, people and jobs of each release have written. */
class MixedReleasesTest {
  private static final Path WIRE = Path.of("../../schemas/src/test/resources/wire");

  static Stream<Path> written() throws IOException {
    try (Stream<Path> files = Files.walk(WIRE)) {
      return files
          .filter(file -> file.toString().endsWith(".bin") && kind(file) != Kind.UNDECODABLE)
          .sorted()
          .toList()
          .stream();
    }
  }

  private static Kind kind(Path file) {
    return switch (file.getFileName().toString().split("\\.", 2)[0]) {
      case "ControlRecord" -> Kind.CONTROL;
      case "RunCommand" -> Kind.COMMAND;
      case "TrainerFeedback", "TrainerProgress", "TrainerAttached" -> Kind.FEEDBACK;
      case "Supply" -> Kind.SUPPLY;
      default -> Kind.UNDECODABLE;
    };
  }

  @ParameterizedTest
  @MethodSource("written")
  void takesTheRecordsOfEachRelease(Path file) throws IOException {
    MixEvent event = event(file, Files.readAllBytes(file));
    assertThat(event.message().getSchema().getName())
        .isEqualTo(file.getFileName().toString().split("\\.", 2)[0]);
  }

  @ParameterizedTest
  @MethodSource("written")
  void refusesThoseOfANewerReleaseOneByOne(Path file) throws IOException {
    byte[] newer = Files.readAllBytes(file);
    newer[5] ^= 0x55;
    MixEvent event = event(file, newer);
    assertThatThrownBy(event::message)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a newer writer?");
  }

  private static MixEvent event(Path file, byte[] value) {
    return MixEvent.of(kind(file), "", TestingReweighter.record("topic", 1, value));
  }
}
