package io.sluice.lab.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpoiltFileTest {
  private static final byte[] CONTENT = {1, 2, 3, 4, 5, 6, 7, 8};

  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void write() throws Exception {
    file = Files.write(directory.resolve("some.rows"), CONTENT);
  }

  @Test
  void whoHasItOpenHasItCutAndThenWhole() throws Exception {
    try (FileChannel open = FileChannel.open(file)) {
      try (SpoiltFile cut = SpoiltFile.cut(file, new Random(1))) {
        assertThat(cut).isNotNull();
        assertThat(open.size()).isLessThan(CONTENT.length / 2);
      }
      assertThat(read(open)).isEqualTo(CONTENT);
    }
    assertThat(Files.readAllBytes(file)).isEqualTo(CONTENT);
  }

  @Test
  void whoHasItOpenKeepsWhatIsReplaced() throws Exception {
    try (FileChannel open = FileChannel.open(file)) {
      try (SpoiltFile other = SpoiltFile.replace(file)) {
        assertThat(other).isNotNull();
        assertThat(Files.readAllBytes(file)).containsExactly(-2, -3, -4, -5, -6, -7, -8, -9);
        assertThat(read(open)).isEqualTo(CONTENT);
      }
    }
    assertThat(Files.readAllBytes(file)).isEqualTo(CONTENT);
    assertThat(directory).isDirectoryContaining(file::equals);
    assertThat(directory.toFile().list()).hasSize(1);
  }

  private static byte[] read(FileChannel open) throws Exception {
    ByteBuffer bytes = ByteBuffer.allocate((int) open.size());
    open.read(bytes, 0);
    return bytes.array();
  }
}
