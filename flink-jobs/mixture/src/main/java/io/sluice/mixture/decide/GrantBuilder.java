package io.sluice.mixture.decide;

import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.mixture.log.ControlEntry.RoundDecision;
import io.sluice.mixture.log.RunSettings;
import io.sluice.mixture.log.RunState;
import io.sluice.mixture.plan.LaneShare;
import io.sluice.mixture.plan.MixturePlan;
import io.sluice.mixture.plan.Weights;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Fills one grant batch by batch, as far as supply goes. A batch is granted only when every block
 * it needs can be read already, so that a domain's end, wherever it turns out to be, never strands
 * a granted batch; waiting changes when a batch is granted, never what is in it.
 */
final class GrantBuilder {
  /** Most counts in one entry, which keeps it well below Kafka's default record size. */
  private static final int MAX_COUNTS = 1 << 16;

  private final RunSettings settings;
  private final Weights decided;
  private final List<DomainSupply> supply;
  private final long after;
  private final long firstSequence;
  private long nextSequence;
  private final long[] ordinals;
  private final BitSet masked;
  private MixturePlan plan;
  private final List<int[]> rows = new ArrayList<>();

  /** Domains of which others took seats. */
  private final BitSet behind = new BitSet();

  /**
   * Why a grant could not be longer.
   *
   * @param ends whether the run ends here
   */
  record Stop(String reason, boolean ends) {}

  /** What a wait for documents begins with; trainers tell it from others by that. */
  private static final String FOR_SUPPLY = "supply: ";

  GrantBuilder(RunState state, Weights decided, List<DomainSupply> supply) {
    this.settings = state.settings();
    this.decided = decided;
    this.supply = supply;
    this.after = state.position().granted();
    this.firstSequence = state.nextSequence();
    this.nextSequence = firstSequence;
    this.ordinals = state.ordinals();
    this.masked = state.masked();
    this.plan = state.plan();
  }

  /**
   * Adds batches up to {@code to}, or until one needs another mask, or more than there is.
   *
   * @param reasons gets a sentence for each domain that ends here
   */
  Optional<Stop> fill(long to, List<String> reasons) {
    long cap = Math.max(1, MAX_COUNTS / settings.domains().size());
    long last = Math.min(to, after + cap);
    Optional<Stop> stop = Optional.empty();
    for (long batch = after + 1; batch <= last && stop.isEmpty(); batch++) {
      stop = add(batch, reasons);
    }
    behind.stream()
        .forEach(
            i ->
                reasons.add(
                    "domain "
                        + settings.domains().get(i)
                        + " is behind: others took its seats, it is owed "
                        + plan.error()[i] / Weights.UNIT
                        + " sequences"));
    return stop;
  }

  private Optional<Stop> add(long batch, List<String> reasons) {
    while (decided.anyWithout(masked)) {
      Weights effective = decided.without(masked);
      MixturePlan trial = plan.copy();
      int[] counts = trial.next(effective, settings.batchSize(batch));
      LaneShare share = LaneShare.of(counts, nextSequence, ordinals);
      int lacking = firstLacking(counts, share);
      if (lacking < 0) {
        add(trial, counts);
        return Optional.empty();
      }
      int index = lacking % counts.length;
      DomainSupply has = supply.get(lacking);
      if (!has.ended()) {
        return settings.redistribute() && redistributed(effective, counts)
            ? Optional.empty()
            : Optional.of(
                new Stop(
                    FOR_SUPPLY
                        + behind(
                            lacking, batch, ordinals[lacking] + needed(lacking, counts, share)),
                    false));
      }
      String ended = named(lacking) + " has ended after " + ordinals[lacking] + " sequences";
      if (settings.epochs().get(index) == 0) {
        return Optional.of(new Stop(ended, true));
      }
      if (!rows.isEmpty()) {
        return Optional.of(new Stop(ended, false));
      }
      masked.set(index);
      reasons.add(ended);
    }
    return Optional.of(new Stop("every domain with weight has ended", true));
  }

  private String behind(int place, long batch, long needed) {
    DomainSupply has = supply.get(place);
    if (has.unsealed().blocks() > 0) {
      return String.format(
          Locale.ROOT,
          "batch %d waits for blocks of %s to be sealed: it needs %,d, and %,d of %,d are",
          batch,
          named(place),
          needed,
          has.blocks(),
          has.blocks() + has.unsealed().blocks());
    }
    if (has.unsealed().end()) {
      return "batch " + batch + " waits for the end of " + named(place) + " to be sealed";
    }
    return named(place)
        + " is behind: batch "
        + batch
        + " needs "
        + needed
        + " blocks, "
        + has.blocks()
        + " are ready";
  }

  private void add(MixturePlan after, int[] counts) {
    plan = after;
    rows.add(counts);
    LaneShare.of(counts, nextSequence, ordinals).addTo(ordinals);
    nextSequence += Arrays.stream(counts).sum();
  }

  private String named(int place) {
    int domains = settings.domains().size();
    String domain = "domain " + settings.domains().get(place % domains);
    return settings.lanes() == 1 ? domain : domain + ", lane " + place / domains + ",";
  }

  /**
   * Adds a batch in which others take the seats of domains that are behind.
   *
   * @param wanted counts without regard to what is there
   * @return false if all together have too few, or one is too far behind to ever catch up
   */
  private boolean redistributed(Weights effective, int[] wanted) {
    int seats = Arrays.stream(wanted).sum();
    long[] most = LaneShare.available(bounds(), ordinals, wanted.length);
    long given = 0;
    for (int i = 0; i < most.length; i++) {
      given += effective.part(i) > 0 ? Math.min(most[i], seats) : 0;
    }
    if (given < seats) {
      return false;
    }
    MixturePlan trial = plan.copy();
    int[] counts = trial.next(effective, seats, most);
    for (long owed : trial.error()) {
      if (Math.abs(owed) > MixturePlan.MAX_ERROR) {
        return false;
      }
    }
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] < wanted[i]) {
        behind.set(i);
      }
    }
    add(trial, counts);
    return true;
  }

  private long bound(int place) {
    return supply.get(place).usable(settings.epochs().get(place % settings.domains().size()));
  }

  /**
   * The first domain of a lane with too few blocks for the batch; −1: none.
   *
   * <p>One that may still grow comes before one that has ended: to mask a domain changes the counts
   * of the others, so whether another lacks blocks too must be known before, or what is masked
   * would depend on which end became known first. Where others take the seats of domains that are
   * behind, nobody waits for those, and an ended one comes first.
   */
  private int firstLacking(int[] counts, LaneShare share) {
    int second = -1;
    for (int i = 0; i < ordinals.length; i++) {
      int count = needed(i, counts, share);
      if (count > 0 && ordinals[i] + count > bound(i)) {
        if (supply.get(i).ended() == settings.redistribute()) {
          return i;
        }
        second = second < 0 ? i : second;
      }
    }
    return second;
  }

  /**
   * Blocks that a lane's part of a domain must have. Where others may take a domain's seats, the
   * plan knows one number for each domain: then every lane must have what any may get.
   */
  private int needed(int place, int[] counts, LaneShare share) {
    int domain = place % counts.length;
    return settings.redistribute()
        ? LaneShare.most(counts[domain], share.lanes())
        : share.count(place / counts.length, domain);
  }

  private long[] bounds() {
    long[] bounds = new long[ordinals.length];
    Arrays.setAll(bounds, this::bound);
    return bounds;
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  Grant build(int weightsVersion, Optional<RoundDecision> decision) {
    int k = settings.domains().size();
    int[] sizes = new int[rows.size()];
    int[] counts = new int[rows.size() * k];
    for (int row = 0; row < sizes.length; row++) {
      sizes[row] = Arrays.stream(rows.get(row)).sum();
      System.arraycopy(rows.get(row), 0, counts, row * k, k);
    }
    Weights used = decided.without(masked);
    return new Grant(
        after,
        after + rows.size(),
        firstSequence,
        weightsVersion,
        sizes,
        counts,
        used,
        behind.isEmpty() ? new long[0] : bounds(),
        decision);
  }
}
