package io.sluice.client.derive;

import io.sluice.client.error.StreamCorruptException;
import io.sluice.client.run.RunLogFold;
import io.sluice.client.run.TrainerRank;
import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.mixture.plan.BatchOrder;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.LogSnapshot;
import io.sluice.schema.MixtureGrant;
import io.sluice.schema.RunRevised;
import io.sluice.schema.RunStarted;
import org.jspecify.annotations.Nullable;

/**
 * Which blocks each batch of a run has: the fold of those entries of its control log that apply. It
 * is what the run's stream has, or would have, as docs/protocol.md derives it.
 *
 * <p>Batches are asked for in ascending order, and what is granted before the one that was asked
 * for last is dropped. Who goes back begins again, at the log's start or at a snapshot before the
 * batch. A rewind that takes back what was asked for leads to its own first batch. Not thread-safe.
 */
public final class Derivation implements RunLogFold.Applied {
  private final String runId;
  private final GrantedBatches batches;
  private @Nullable StoredBlocks blocks;

  /**
   * The derivation of a run's batches from one on; from 1 for all.
   *
   * @param from batches before it are not asked for
   */
  public Derivation(String runId, long from) {
    this.runId = runId;
    this.batches = new GrantedBatches(from);
  }

  @Override
  public void begin(ControlRecord snapshot) {
    checked(() -> batches.begin(Turn.of(snapshot)));
  }

  /**
   * Takes the next entry.
   *
   * @throws StreamCorruptException naming the batch and the numbers, if it does not go on where the
   *     one before it ended, or says what cannot be
   */
  @Override
  public void apply(ControlRecord entry) {
    Object body = entry.getBody();
    if (body instanceof RunStarted) {
      begin(entry);
    } else if (body instanceof MixtureGrant grant) {
      checked(() -> batches.add(Granted.of(grant)));
    } else if (body instanceof RunRevised || body instanceof LogSnapshot) {
      checked(() -> batches.turn(Turn.of(entry)));
    }
  }

  private void checked(Runnable step) {
    try {
      step.run();
    } catch (IllegalArgumentException e) {
      throw new StreamCorruptException("control log of run " + runId + ": " + e.getMessage());
    }
  }

  /** Whether a batch is before the first that this can derive, once the log has been begun. */
  public boolean isPast(long batch) {
    return batches.isPast(batch);
  }

  /** Whether a batch is granted, and is not before the first that this can derive. */
  public boolean has(long batch) {
    return batches.has(batch);
  }

  /**
   * The sequences of a batch that a rank reads. The same batch may be asked for again.
   *
   * <p>Where a domain is not known to have ended, an ordinal stands for the block of that number,
   * or, if its blocks are in place, for one that no domain has: whoever finds no such block asks
   * again once the domain's end is known.
   *
   * @param batch one that this {@link #has}, at or after the one asked for last
   * @throws io.sluice.client.error.InvalidWorldSizeException if the ranks do not divide the batch
   * @throws StreamCorruptException if a revision does not go on where the batches before it end
   */
  public DerivedBatch derive(long batch, TrainerRank rank, DomainEnds ends) {
    if (!has(batch)) {
      throw new IllegalArgumentException(
          "batch %d of run %s cannot be derived: the last granted one is %d"
              .formatted(batch, runId, batches.last()));
    }
    checked(() -> batches.goTo(batch));
    int rows = rank.rows(batch, batches.grant().sizeOf(batch));
    return derive(batches.cursor(), batches.grant(), rank.rank() * rows, rows, ends);
  }

  private DerivedBatch derive(Cursor at, Grant grant, int first, int rows, DomainEnds ends) {
    Turn turn = at.turn();
    long batch = at.batch() + 1;
    int[] order =
        BatchOrder.whole(turn.seed(), turn.timeline(), batch, at.share(grant), at.firstIndex());
    StoredBlocks stored = blocksOf(turn);
    long[] next = at.ordinals();
    int[] domain = new int[rows];
    int[] lane = new int[rows];
    long[] ordinal = new long[rows];
    long[] block = new long[rows];
    for (int position = 0; position < first + rows; position++) {
      int l = (int) ((at.firstIndex() + position) % turn.lanes());
      int d = order[position];
      long o = next[l * turn.domains().size() + d]++;
      if (position >= first) {
        int row = position - first;
        domain[row] = d;
        lane[row] = l;
        ordinal[row] = o;
        block[row] = stored.block(l, d, o, ends);
      }
    }
    return new DerivedBatch(
        turn.timeline(),
        batch,
        at.firstIndex(),
        order.length,
        grant.weightsVersion(),
        first,
        turn.domains(),
        domain,
        lane,
        ordinal,
        block);
  }

  private StoredBlocks blocksOf(Turn turn) {
    StoredBlocks known = blocks;
    if (known == null || !known.isOf(turn)) {
      known = new StoredBlocks(turn);
      blocks = known;
    }
    return known;
  }
}
