package io.sluice.client.stream;

import io.sluice.client.block.Sequence;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Optional;

/**
 * How long ago the blocks of a batch's rows were packed, as far as they tell.
 *
 * @param mean over the rows
 * @param max of the oldest
 */
public record DataAge(Duration mean, Duration max) {
  /** The rows' age; empty when none says when it was packed. */
  static Optional<DataAge> of(List<Sequence> rows, Instant now) {
    LongSummaryStatistics millis =
        rows.stream()
            .filter(row -> row.producedAtMillis() > 0)
            .mapToLong(row -> Math.max(0, now.toEpochMilli() - row.producedAtMillis()))
            .summaryStatistics();
    return millis.getCount() == 0
        ? Optional.empty()
        : Optional.of(
            new DataAge(
                Duration.ofMillis((long) millis.getAverage()), Duration.ofMillis(millis.getMax())));
  }
}
