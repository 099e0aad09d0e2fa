package io.sluice.serve.course;

import java.util.ArrayList;
import java.util.List;

/**
 * Numbers of each domain along the batches of a run, in so many rows at most: when there are more,
 * every second goes, and from then on every second is kept of what comes. The first and the newest
 * stay. Not thread-safe.
 */
public final class Series {
  /** Fewest rows that a series may be bounded to. */
  public static final int LEAST = 4;

  private final int most;
  private final List<Row> rows = new ArrayList<>();
  private long stride = 1;
  private long offered;

  /**
   * What holds at a batch.
   *
   * @param values of each domain that there was; NaN where nothing is known
   */
  public record Row(long batch, float[] values) {}

  /**
   * A series without rows.
   *
   * @param most rows, at least {@link #LEAST}
   */
  public Series(int most) {
    if (most < LEAST) {
      throw new IllegalArgumentException("rows must be at least " + LEAST + ": " + most);
    }
    this.most = most;
  }

  /**
   * Adds what holds at a batch; the same batch again replaces it.
   *
   * @throws IllegalArgumentException for a batch before the newest
   */
  public void add(long batch, float[] values) {
    Row row = new Row(batch, values.clone());
    if (!rows.isEmpty()) {
      long newest = rows.get(rows.size() - 1).batch();
      if (batch < newest) {
        throw new IllegalArgumentException("batch must be at least " + newest + ": " + batch);
      }
      // The newest stays until another comes, and goes then if it is none of those that are kept.
      if (batch == newest || (offered - 1) % stride != 0) {
        rows.remove(rows.size() - 1);
        offered -= batch == newest ? 1 : 0;
      }
    }
    rows.add(row);
    offered++;
    if (rows.size() > most) {
      thin();
    }
  }

  private void thin() {
    List<Row> kept = new ArrayList<>();
    for (int i = 0; i < rows.size(); i += 2) {
      kept.add(rows.get(i));
    }
    if (rows.size() % 2 == 0) {
      kept.add(rows.get(rows.size() - 1));
    }
    rows.clear();
    rows.addAll(kept);
    stride *= 2;
  }

  /** Forgets what is of later batches, as after a rewind. */
  public void endAt(long batch) {
    rows.removeIf(row -> row.batch() > batch);
    offered = rows.isEmpty() ? 0 : (rows.size() - 1) * stride + 1;
  }

  /** The rows, oldest first. */
  public List<Row> rows() {
    return List.copyOf(rows);
  }

  /** Whether some were left out. */
  public boolean isThinned() {
    return stride > 1;
  }

  /** The values of the last of some rows; empty if there is none. */
  public static float[] newest(List<Row> rows) {
    return rows.isEmpty() ? new float[0] : rows.get(rows.size() - 1).values();
  }
}
