package io.sluice.jobs.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeapShareTest {
  @ParameterizedTest
  @ValueSource(doubles = {0, 0.009, 0.91, -1, Double.NaN})
  void hasARange(double share) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new HeapShare(share))
        .withMessage("the share of the heap must be from 0.01 to 0.9: " + share);
  }

  @ParameterizedTest
  @CsvSource({"4, 8, 4", "4, 2, 2", "1, 8, 1"})
  void isDividedAmongTheTasksThatAProcessMayGet(String slots, int parallelism, int tasks) {
    Configuration process = Configuration.fromMap(Map.of("taskmanager.numberOfTaskSlots", slots));

    assertThat(HeapShare.tasks(process, parallelism)).isEqualTo(tasks);
    assertThat(new HeapShare(.5).ofTask(process, parallelism))
        .isEqualTo(new HeapShare(.5).bytes() / tasks);
  }

  @Test
  void whatDoesNotFitIsRefusedWithWhatHelps() {
    HeapShare share = new HeapShare(.5);
    share.require("filters", share.bytes());

    assertThatExceptionOfType(HeapTooSmallException.class)
        .isThrownBy(() -> share.require("the filters of refinery 'x'", 1L << 50))
        .withMessageMatching(
            "the filters of refinery 'x' need 1073741824 MiB of heap, and have \\d+ MiB: 0.5 of a"
                + " process's \\d+ MiB\\. Give the task managers more .*--heap-share");
  }
}
