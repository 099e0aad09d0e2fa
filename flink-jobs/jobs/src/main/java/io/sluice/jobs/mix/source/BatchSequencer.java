package io.sluice.jobs.mix.source;

import io.sluice.jobs.mix.fetch.BlockSupply;
import io.sluice.jobs.mix.fetch.BlockSupply.TakenBlock;
import io.sluice.jobs.mix.split.BrokenRunException;
import io.sluice.jobs.mix.split.MixSplit;
import io.sluice.jobs.mix.split.Pace;
import io.sluice.jobs.mix.split.Revision;
import io.sluice.jobs.mix.split.RunLayout;
import io.sluice.jobs.mix.split.SplitCursor;
import io.sluice.jobs.mix.stream.StreamGate;
import io.sluice.jobs.mix.stream.StreamRecord;
import io.sluice.jobs.mix.stream.StreamTarget;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.mixture.log.ControlEntry.PhaseChange;
import io.sluice.mixture.log.ControlEntry.Revised;
import io.sluice.mixture.log.GrantRules;
import io.sluice.mixture.log.InvariantViolatedException;
import io.sluice.mixture.log.LogPosition;
import io.sluice.mixture.log.RunPhase;
import io.sluice.mixture.plan.BatchOrder;
import io.sluice.mixture.plan.LaneShare;
import io.sluice.schema.ChainHash;
import io.sluice.schema.StreamHeader;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Sequences a split's granted batches: a pure function of the accepted control entries and the
 * blocks.
 *
 * <p>Batches are put in order somewhat ahead of the sequence that is next, so that their blocks can
 * be fetched by need. Not thread-safe.
 */
final class BatchSequencer {
  /** Sequences, beyond the next batch, that are put in order ahead. */
  static final int AHEAD = 16_384;

  /** Counts of unfinished grants above which entries are put off. */
  static final int MAX_QUEUED_COUNTS = 1 << 22;

  /** Revisions of batches that are not emitted above which entries are put off. */
  static final int MAX_QUEUED_REVISIONS = 1024;

  private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

  private final MixSplit split;
  private final RunLayout layout;
  private final StreamTarget target;
  private final BlockSupply blocks;
  private final long[] domainHashes;

  private LogPosition position;
  private LogPosition seen;
  private RunPhase phase;
  private boolean abandoned;
  private @Nullable Revision pending;
  private final ArrayDeque<Revision> unchecked = new ArrayDeque<>();
  private final ArrayDeque<QueuedGrant> grants = new ArrayDeque<>();
  private int queuedCounts;
  private final ArrayDeque<OrderedBatch> ordered = new ArrayDeque<>();
  private long orderedTo;
  private long orderedIndex;
  private final long[] orderedUsed;
  private long orderedAhead;
  private int orderedVersion;
  private boolean orderDue;
  private Pace pace;
  private long batch;
  private int place;
  private long firstIndex;
  private final long[] ordinals;
  private final long[] used;
  private final long[] chains;
  private final TakenBlock taken = new TakenBlock();
  private final ByteBuffer header = ByteBuffer.allocate(StreamHeader.LENGTH);
  private final StreamRecord record;

  /** A grant with sequences left, and where the log stood before it. */
  private record QueuedGrant(LogPosition before, Grant grant) {}

  /** The lane's part of a batch. */
  private record OrderedBatch(int size, int[] order, int weightsVersion) {}

  BatchSequencer(MixSplit split, StreamTarget target, StreamGate gate, BlockSupply blocks) {
    this.split = split;
    this.layout = split.layout();
    this.pace = layout.pace();
    this.target = target;
    this.record = new StreamRecord(target, header.array(), gate);
    this.blocks = blocks;
    this.domainHashes =
        layout.domains().stream()
            .mapToLong(domain -> ChainHash.domain(layout.fingerprint(), domain))
            .toArray();
    SplitCursor cursor = split.cursor();
    position = cursor.control();
    seen = position;
    phase = cursor.phase();
    batch = cursor.batch();
    place = cursor.position();
    firstIndex = cursor.firstIndex();
    orderedTo = batch - 1;
    orderedIndex = firstIndex;
    ordinals = cursor.ordinals().clone();
    used = layout.lanes() == 1 ? new long[ordinals.length] : cursor.used().clone();
    orderedUsed = used.clone();
    chains = cursor.chains().clone();
  }

  /**
   * Whether it can take another entry; otherwise the log is to be read again from here, later. A
   * revision is the last entry that it takes: its successor takes the others.
   */
  boolean hasRoom() {
    return pending == null
        && queuedCounts < MAX_QUEUED_COUNTS
        && unchecked.size() < MAX_QUEUED_REVISIONS;
  }

  /** Whether most of what was queued is used up. */
  boolean isHungry() {
    return pending == null
        && queuedCounts <= MAX_QUEUED_COUNTS / 2
        && unchecked.size() <= MAX_QUEUED_REVISIONS / 2;
  }

  /** Where its sequences go. */
  StreamTarget target() {
    return target;
  }

  /** How it shares the source with other runs, from the last that the log says on. */
  Pace pace() {
    return pace;
  }

  /** Where it stands in the control log. */
  LogPosition position() {
    return position;
  }

  /**
   * Applies the entry if it is the next one.
   *
   * @return whether it was
   * @throws io.sluice.mixture.log.BrokenLogException if the log does not continue
   * @throws BrokenRunException if the grant does not fit the run
   * @throws InvariantViolatedException if its numbers cannot be true
   */
  boolean apply(ControlEntry entry, long offset) {
    look(entry, offset);
    if (!position.accepts(entry)) {
      return false;
    }
    if (entry.body() instanceof Revised revised) {
      Revision revision = new Revision(position.after(entry, offset), revised);
      if (!revision.keeps(layout, position.timeline())) {
        revision.requireContinues(layout, position.timeline());
        pending = revision;
        return true;
      }
      unchecked.add(revision);
      checkRevisions();
      pace = Pace.of(revised.settings().limits());
    } else if (entry.body() instanceof Grant grant) {
      if (grant.effective().size() != ordinals.length) {
        throw new BrokenRunException(
            "entry "
                + entry.serial()
                + " grants "
                + grant.effective().size()
                + " domains, the run has "
                + ordinals.length);
      }
      grants.add(new QueuedGrant(position, grant));
      queuedCounts += grant.counts().length;
    } else if (entry.body() instanceof PhaseChange change) {
      phase = change.phase();
    }
    position = position.after(entry, offset);
    orderAhead();
    settle();
    return true;
  }

  /**
   * Looks whether an entry ends the run at once, also while it has no room: a run that waits for a
   * block which never comes can still be deleted.
   */
  void look(ControlEntry entry, long offset) {
    if (seen.accepts(entry)) {
      seen = seen.after(entry, offset);
      abandoned = entry.body() instanceof PhaseChange change && abandons(change.phase());
    }
  }

  private static boolean abandons(RunPhase phase) {
    return phase == RunPhase.DELETED || phase == RunPhase.FAILED;
  }

  private void checkRevisions() {
    while (isAtRevision()) {
      Revision revision = unchecked.remove();
      long[] decided = SplitCursor.ordinalsOf(revision.body().snapshot(), split.lane(), layout);
      revision.requireSame(firstIndex, ordinals, decided);
    }
  }

  private boolean isAtRevision() {
    return !unchecked.isEmpty() && unchecked.element().lastBatch() < batch;
  }

  /**
   * The next sequence, or null while its grant or its block is not there. The same object each
   * time.
   */
  @Nullable StreamRecord next() {
    while (orderDue) {
      // Before anything is taken: a batch that cannot be put in order must not cost a sequence.
      orderDue = false;
      checkRevisions();
      orderAhead();
      settle();
    }
    OrderedBatch current = ordered.peek();
    if (current == null || (pending != null && batch > pending.lastBatch())) {
      return null;
    }
    int domain = current.order()[place];
    if (!blocks.take(domain, taken)) {
      return null;
    }
    if (taken.stored < 0 || taken.stored > ordinals[domain]) {
      throw new InvariantViolatedException(
          "block of domain " + layout.domains().get(domain) + " in batch " + batch,
          "in [0, " + ordinals[domain] + "]",
          taken.stored);
    }
    int lanes = layout.lanes();
    long index =
        firstIndex + LaneShare.position(firstIndex, split.lane(), lanes) + (long) place * lanes;
    int partition = (int) (index % chains.length);
    chains[partition] =
        ChainHash.next(chains[partition], index, domainHashes[domain], split.lane(), taken.stored);
    StreamHeader.encode(
        header,
        position.timeline(),
        batch,
        firstIndex,
        current.size(),
        index,
        current.weightsVersion(),
        ordinals[domain],
        chains[partition]);
    record.fill(partition, batch, taken.bytes);
    taken.bytes = EMPTY;
    ordinals[domain]++;
    place++;
    settle();
    return record;
  }

  /**
   * Leaves the batches whose last sequence is taken, or that have none for this lane; not past a
   * revision, which has to be held against where the batch before it ends.
   */
  private void settle() {
    for (OrderedBatch done = ordered.peek(); done != null; done = ordered.peek()) {
      if (place < done.order().length || isAtRevision()) {
        return;
      }
      ordered.remove();
      orderedAhead -= done.order().length;
      Grant grant = grants.element().grant();
      use(grant, batch, firstIndex, used);
      if (batch == grant.to()) {
        grants.remove();
        queuedCounts -= grant.counts().length;
      }
      firstIndex += done.size();
      batch++;
      place = 0;
      orderDue = true;
    }
  }

  private void use(Grant grant, long granted, long first, long[] before) {
    if (layout.lanes() > 1) {
      LaneShare.of(grant.countsOf(granted), first, before).addTo(before);
    }
  }

  private void orderAhead() {
    for (QueuedGrant queued : grants) {
      Grant grant = queued.grant();
      while (orderedTo < grant.to()) {
        if (pending != null && orderedTo >= pending.lastBatch()) {
          return;
        }
        if (ordered.size() > 1 && orderedAhead >= AHEAD) {
          return;
        }
        order(grant, orderedTo + 1);
      }
    }
  }

  private void order(Grant grant, long next) {
    GrantRules.checkCounts(grant, next);
    int[] counts = grant.countsOf(next);
    int size = grant.sizeOf(next);
    if (next == grant.after() + 1 && grant.firstSequence() != orderedIndex) {
      throw new InvariantViolatedException(
          "first index of batch " + next, orderedIndex, grant.firstSequence());
    }
    if (grant.weightsVersion() < orderedVersion) {
      throw new InvariantViolatedException(
          "weights version of batch " + next, "at least " + orderedVersion, grant.weightsVersion());
    }
    orderedVersion = grant.weightsVersion();
    LaneShare share = LaneShare.of(counts, orderedIndex, orderedUsed);
    int[] order = BatchOrder.order(layout.seed(), position.timeline(), next, share, split.lane());
    ordered.add(new OrderedBatch(size, order, grant.weightsVersion()));
    use(grant, next, orderedIndex, orderedUsed);
    orderedTo = next;
    orderedIndex += size;
    orderedAhead += order.length;
    if (order.length > 0) {
      blocks.need(order, next == batch ? place : 0);
    }
  }

  /** Whether nothing is left to sequence and nothing can follow. */
  boolean isFinished() {
    return abandoned || abandons(phase) || (phase.ended() && grants.isEmpty() && pending == null);
  }

  /**
   * The split that goes on in place of this one, with a sequencer and blocks of its own; empty
   * unless a revision is read and the batches that it leaves are emitted.
   *
   * @param sizes of the domains whose end is known
   * @throws BrokenRunException if the revision does not fit what was emitted
   */
  Optional<MixSplit> successor(long[] sizes) {
    Revision revision = pending;
    return revision == null || batch <= revision.lastBatch()
        ? Optional.empty()
        : Optional.of(revision.turn(snapshot(sizes), phase));
  }

  /** The run's phase as far as the log has been read. */
  RunPhase phase() {
    return phase;
  }

  /** The batch of the next sequence. */
  long batch() {
    return batch;
  }

  /** The domain of the next sequence; empty when its batch is not granted. */
  OptionalInt awaitedDomain() {
    OrderedBatch current = ordered.peek();
    return current == null || place >= current.order().length
        ? OptionalInt.empty()
        : OptionalInt.of(current.order()[place]);
  }

  /** Next ordinal of a domain, epochs counted through. */
  long ordinal(int domain) {
    return ordinals[domain];
  }

  /**
   * The split as of the sequences that were returned.
   *
   * @param sizes of the domains whose end is known
   */
  MixSplit snapshot(long[] sizes) {
    QueuedGrant oldest = grants.peek();
    return split.at(
        layout.paced(pace),
        new SplitCursor(
            oldest == null ? position : oldest.before(),
            oldest == null ? phase : RunPhase.RUNNING,
            batch,
            place,
            firstIndex,
            ordinals.clone(),
            layout.lanes() == 1 ? new long[0] : used.clone(),
            sizes,
            chains.clone()));
  }
}
