package io.sluice.serve.course;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SeriesTest {
  private final Series series = new Series(8);

  @Test
  void everyRowStaysWhileThereIsRoom() {
    add(1, 2, 3);
    assertThat(batches()).containsExactly(1L, 2L, 3L);
    assertThat(series.isThinned()).isFalse();
    assertThat(Series.newest(series.rows())).containsExactly(3f);
  }

  @Test
  void whatIsTooManyIsThinnedEvenlyAndTheNewestStays() {
    add(LongStream.rangeClosed(0, 1000).toArray());
    List<Long> batches = batches();
    assertThat(batches).hasSizeBetween(4, 8).startsWith(0L).endsWith(1000L);
    long step = batches.get(1);
    for (int i = 0; i < batches.size() - 1; i++) {
      assertThat(batches.get(i)).as("even steps").isEqualTo(i * step);
    }
    assertThat(series.isThinned()).isTrue();
  }

  @Test
  void theSameBatchAgainIsReplaced() {
    series.add(5, new float[] {1});
    series.add(5, new float[] {2});
    assertThat(series.rows()).hasSize(1);
    assertThat(Series.newest(series.rows())).containsExactly(2f);
    assertThatThrownBy(() -> series.add(4, new float[1])).hasMessage("batch must be at least 5: 4");
  }

  @Test
  void afterARewindOthersFollowWhatStands() {
    add(LongStream.rangeClosed(0, 100).toArray());
    series.endAt(50);
    assertThat(batches()).allMatch(batch -> batch <= 50);
    add(LongStream.rangeClosed(51, 200).toArray());
    assertThat(batches()).startsWith(0L).endsWith(200L).isSorted();
    assertThat(series.rows()).hasSizeLessThanOrEqualTo(8);
  }

  @Test
  void theBoundMustLeaveRoom() {
    assertThatThrownBy(() -> new Series(3)).hasMessage("rows must be at least 4: 3");
  }

  private void add(long... batches) {
    for (long batch : batches) {
      series.add(batch, new float[] {batch});
    }
  }

  private List<Long> batches() {
    return series.rows().stream().map(Series.Row::batch).toList();
  }
}
