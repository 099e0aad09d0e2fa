package io.sluice.jobs.prepare.pack;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.jobs.prepare.TestingDatasets;
import io.sluice.jobs.prepare.dataset.PackingSettings;
import io.sluice.jobs.prepare.dataset.ShuffleSettings;
import io.sluice.jobs.prepare.log.CommittedSupply;
import io.sluice.jobs.prepare.record.DomainEvent;
import io.sluice.jobs.write.OutputRecord;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.Ledger;
import io.sluice.schema.Supply;
import io.sluice.schema.Topics;
import io.sluice.schema.set.DocumentKeys;
import io.sluice.schema.set.IdHash;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/** A job that is killed at any moment, on a log that keeps what was committed. */
final class TestingJob {
  static final String DOMAIN = "java";
  static final int DOCUMENTS = 60;
  static final double HELD_OUT = 0.2;

  final DatasetSpec spec;
  final TestingPackingLog log;
  private final SplittableRandom random;
  private final List<Checkpoint> checkpoints = new ArrayList<>();
  private TestingSlots slots;

  /** Those of the corpus; what is read again may be others. */
  List<DomainEvent> events;

  /** What is to be forgotten. */
  DocumentKeys known = DocumentKeys.NONE;

  DomainPacking packing;
  int next;

  private record Checkpoint(
      byte[] state,
      Optional<byte[]> open,
      byte[] heldOut,
      byte[] ledger,
      TestingSlots slots,
      int next) {}

  /** Starts on these events, and decides by chance what happens to it. */
  TestingJob(DatasetSpec spec, List<DomainEvent> events, SplittableRandom random) {
    this.spec = spec;
    this.events = events;
    this.random = random;
    log = new TestingPackingLog(spec);
    start(Optional.empty());
  }

  /** A dataset of any kind. */
  static DatasetSpec dataset(SplittableRandom random) {
    int lanes = 1 + random.nextInt(3);
    int buffer = 1 + random.nextInt(12);
    DatasetSpec spec =
        switch (random.nextInt(3)) {
          case 0 -> TestingDatasets.dataset(16, buffer, HELD_OUT, lanes);
          case 1 -> TestingDatasets.dataset(16, ShuffleSettings.GLOBAL, HELD_OUT, lanes);
          default -> TestingDatasets.releasing(16, buffer, HELD_OUT, lanes);
        };
    spec.setDocumentIds(random.nextBoolean() ? IdHash.HASHES : IdHash.NAMES);
    spec.setHeldOutTokens(random.nextInt(3) == 0 ? 100 : 0);
    spec.setPadDocumentsTo(random.nextInt(3) == 0 ? 4 : 1);
    if (random.nextBoolean()) {
      spec.setPacking(PackingSettings.BEST_FIT);
      spec.setPackingWindow(1 + random.nextInt(4));
    }
    return spec;
  }

  /** Goes on to the end of the events, and then some. */
  void run() {
    run(() -> {});
  }

  /** The same, with something else that happens now and then. */
  void run(Runnable disturbance) {
    for (int rest = 20; next < events.size() || packing.draining() || rest-- > 0; ) {
      switch (random.nextInt(12)) {
        case 0 -> checkpoint();
        case 1 -> kill();
        case 2 -> learn();
        case 3 -> release();
        case 4 -> disturbance.run();
        default -> step();
      }
      requireSums();
    }
    checkpoint();
  }

  private DomainPacking packing(TestingPackingLog from, List<OutputRecord> out) {
    boolean straight = out != null;
    return new DomainPacking(
        spec,
        Topics.standard(),
        DOMAIN,
        slots,
        straight ? CommittedSupply.NONE : from.supply(DOMAIN),
        from.decisions(DOMAIN),
        () -> 7,
        straight ? out::add : from::write);
  }

  void start(Optional<Checkpoint> from) {
    slots = from.map(Checkpoint::slots).map(TestingSlots::copy).orElseGet(TestingSlots::new);
    packing = packing(log, null);
    from.ifPresent(
        state -> {
          packing.restore(state.state(), state.open().orElse(null));
          packing.minimum().restore(state.heldOut());
          packing.ledger().restore(state.ledger());
        });
    next = from.map(Checkpoint::next).orElse(0);
  }

  private void learn() {
    Set<String> ids = new HashSet<>();
    for (int count = 1 + random.nextInt(4); ids.size() < count; ) {
      ids.add(DOMAIN + "-" + random.nextInt(DOCUMENTS + 5));
    }
    known = known.with(TestingDatasets.keys(DOMAIN, ids));
  }

  void step() {
    packing.forget(known);
    if (packing.draining()) {
      packing.draw(1 + random.nextInt(200));
    } else if (next < events.size()) {
      packing.accept(events.get(next++));
    }
  }

  private void release() {
    if (spec.getShuffleWaitMillis() > 0) {
      packing.forget(known);
      packing.release();
    }
  }

  void checkpoint() {
    packing.emitSupply();
    checkpoints.add(
        new Checkpoint(
            packing.snapshot(),
            packing.openBlocks(),
            packing.minimum().snapshot(),
            packing.ledger().snapshot().orElseThrow(),
            slots.copy(),
            next));
    log.commit();
  }

  /** Before or within a checkpoint; goes on with its state, an earlier one's, or none. */
  void kill() {
    if (random.nextBoolean()) {
      packing.emitSupply();
    }
    log.abort();
    int state = random.nextInt(checkpoints.size() + 1);
    start(state == 0 ? Optional.empty() : Optional.of(checkpoints.get(checkpoints.size() - state)));
  }

  /** A domain that has ended is counted no more. */
  private void requireSums() {
    if (packing.packed().ended()) {
      return;
    }
    Ledger ledger = packing.counts().orElseThrow();
    assertThat(DomainLedgerTest.sum(ledger.getDocuments()))
        .isEqualTo(ledger.getDocuments().getIn());
    assertThat(DomainLedgerTest.sum(ledger.getTokens())).isEqualTo(ledger.getTokens().getIn());
  }

  /** What one start without state that is never stopped makes of the log's decisions. */
  DomainPacking straight(List<OutputRecord> output) {
    slots = new TestingSlots();
    DomainPacking straight = packing(log, output);
    events.forEach(straight::accept);
    while (straight.draining()) {
      straight.draw(Long.MAX_VALUE);
    }
    // What was decided behind the last event comes with the next thing that happens.
    straight.forget(DocumentKeys.NONE.without(DocumentKeys.NONE));
    return straight;
  }

  /** The ledger that was committed last. */
  Ledger ledger() {
    return log.committed().stream()
        .filter(Supply.class::isInstance)
        .map(each -> ((Supply) each).getLedger())
        .filter(Objects::nonNull)
        .reduce((before, after) -> after)
        .orElseThrow();
  }
}
