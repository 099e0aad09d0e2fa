package io.sluice.lab.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FullDiskTest {
  @TempDir private Path directory;

  @Test
  void aProcessCanWriteNoFileUntilThereIsRoomAgain() throws Exception {
    assumeTrue(FullDisk.isPossible());
    Process process = start();
    FullDisk.fill(process.pid());
    writes(process);
    assertThat(process.waitFor()).isNotZero();
    assertThat(directory.resolve("file")).isEmptyFile();
    Process next = start();
    FullDisk.fill(next.pid());
    FullDisk.empty(next.pid());
    writes(next);
    assertThat(next.waitFor()).isZero();
    assertThat(directory.resolve("file")).hasContent("text");
  }

  @Test
  void nothingHappensIfTheProcessIsGone() throws Exception {
    Process process = start();
    process.destroyForcibly().waitFor();
    FullDisk.fill(process.pid());
    FullDisk.empty(process.pid());
  }

  /** Waits for a line, then writes a file. */
  private Process start() throws IOException {
    return new ProcessBuilder("sh", "-c", "read line; echo text > file")
        .directory(directory.toFile())
        .start();
  }

  private static void writes(Process process) throws IOException {
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
  }
}
