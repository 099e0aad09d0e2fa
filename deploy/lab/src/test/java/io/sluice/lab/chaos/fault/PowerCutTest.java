package io.sluice.lab.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PowerCutTest {
  private static final String FIRST = "00000000000000000000";
  private static final int BATCH = 100;
  private static final int SEEDS = 40;

  @TempDir private Path log;

  @Test
  void losesWholeBatchesThatWereNotWrittenBack() throws IOException {
    TreeSet<Long> sizes = new TreeSet<>();
    for (int seed = 0; seed < SEEDS; seed++) {
      Path segment = log.resolve("stream.r-" + seed).resolve(FIRST + ".log");
      append(segment, 2);
      PowerCut cut = new PowerCut(log, topic -> false);
      append(segment, 3);
      cut.cut(new Random(seed));
      sizes.add(Files.size(segment));
    }
    assertThat(sizes).containsExactly(200L, 300L, 400L, 500L);
  }

  @Test
  void leavesNoTornBatch() throws IOException {
    Path segment = log.resolve("stream.r-0").resolve(FIRST + ".log");
    append(segment, 2);
    PowerCut cut = new PowerCut(log, topic -> false);
    Files.write(segment, new byte[] {0, 0, 0}, StandardOpenOption.APPEND);
    assertThat(cut.cut(new Random(1))).isEqualTo(1);
    assertThat(segment).hasSize(2L * BATCH);
  }

  @Test
  void removesWhatWasMadeOfTheSegment() throws IOException {
    Path partition = log.resolve("stream.r-0");
    append(partition.resolve("00000000000000000000.log"), 1);
    append(partition.resolve("00000000000000000007.log"), 1);
    for (String name :
        new String[] {
          "00000000000000000000.index",
          "00000000000000000007.index",
          "00000000000000000007.timeindex",
          "00000000000000000007.snapshot",
          "00000000000000000009.snapshot",
          "leader-epoch-checkpoint"
        }) {
      Files.createFile(partition.resolve(name));
    }
    new PowerCut(log, topic -> false).cut(new Random(1));
    assertThat(partition.toFile().list())
        .containsExactlyInAnyOrder(
            "00000000000000000000.log",
            "00000000000000000000.index",
            "00000000000000000007.log",
            "00000000000000000007.snapshot",
            "leader-epoch-checkpoint");
  }

  @Test
  void leavesWhatIsOnTheDiskAtOnce() throws IOException {
    PowerCut cut = new PowerCut(log, "control.r.1"::equals);
    Path control = log.resolve("control.r.1-0").resolve(FIRST + ".log");
    Path metadata = log.resolve("__cluster_metadata-0").resolve(FIRST + ".log");
    append(control, 5);
    append(metadata, 5);
    for (int seed = 0; seed < SEEDS; seed++) {
      assertThat(cut.cut(new Random(seed))).isZero();
    }
    assertThat(control).hasSize(5L * BATCH);
    assertThat(metadata).hasSize(5L * BATCH);
  }

  private static void append(Path segment, int batches) throws IOException {
    Files.createDirectories(segment.getParent());
    for (int i = 0; i < batches; i++) {
      byte[] batch = ByteBuffer.allocate(BATCH).putInt(8, BATCH - 12).array();
      Files.write(segment, batch, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
  }
}
