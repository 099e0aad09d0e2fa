package io.sluice.refine.decide;

import io.sluice.control.line.Utf8;
import io.sluice.mixture.state.VersionedBytes;
import io.sluice.refine.step.Examination;
import io.sluice.refine.step.StepNames;
import io.sluice.refine.targets.TargetTwins;
import io.sluice.refine.twin.DocumentPlace;
import io.sluice.refine.twin.Signature;
import io.sluice.refine.twin.Twin;
import io.sluice.schema.BordersMoved;
import io.sluice.schema.Document;
import io.sluice.schema.DroppedDocument;
import io.sluice.schema.RefineProgress;
import io.sluice.schema.RefineSpec;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Decides what becomes of each record of a refinery's inputs. A pure function of the records in
 * their order: whoever hands it the same ones again, or goes on with its {@link #snapshot}, has the
 * same decisions. Not thread-safe.
 */
public final class Refinery {
  private static final byte VERSION = 1;
  private static final String WHAT = "state of a refinery";

  private final RefineSpec spec;
  private final Placing placing;
  private final Optional<KnownTwins> twins;
  private final Optional<TargetSets> targets;
  private final RefineTally tally;
  private final DifficultyBuckets buckets;

  /**
   * A refinery that has seen nothing.
   *
   * @param twins documents that were seen; empty unless the specification drops duplicates
   * @param targets documents of target sets that were seen; empty unless it has some
   */
  public Refinery(RefineSpec spec, Optional<KnownTwins> twins, Optional<TargetTwins> targets) {
    this.spec = spec;
    this.placing = new Placing(spec);
    this.twins = twins;
    this.targets = TargetSets.of(spec, targets);
    this.buckets = new DifficultyBuckets(spec);
    this.tally = new RefineTally(spec.getInputs().size());
  }

  /**
   * Goes on where the one that gave the {@link #snapshot} stopped; the twins are kept by others.
   *
   * @throws IllegalArgumentException if the bytes are not of such a refinery
   */
  public void restore(byte[] snapshot) {
    VersionedBytes.read(
        WHAT,
        VERSION,
        snapshot,
        in -> {
          tally.read(in);
          buckets.read(in);
          return this;
        });
  }

  /** Everything that decisions depend on, but for the twins; versioned. */
  public byte[] snapshot() {
    return VersionedBytes.write(
        VERSION,
        out -> {
          tally.write(out);
          buckets.write(out);
        });
  }

  /** Records of all inputs that were decided. */
  public long records() {
    return tally.records();
  }

  /** What was decided so far. */
  public RefineProgress progress() {
    Map<String, String> notes = new HashMap<>();
    twins
        .map(KnownTwins::note)
        .filter(note -> !note.isEmpty())
        .ifPresent(note -> notes.put(StepNames.DUPLICATES, note));
    buckets.note().ifPresent(note -> notes.put(StepNames.PERPLEXITY, note));
    return tally.progress(spec.getFingerprint(), notes);
  }

  /** Decides the next record. */
  public void accept(int input, long offset, Examined examined, Decisions out) {
    if (tally.hasEnded(input)) {
      tally.count(input, offset, RefineTally.DEAD_LETTER);
      out.refused(
          "after the end marker of domain '"
              + spec.getInputs().get(input)
              + "': an ended domain takes no more documents");
    } else if (examined instanceof Examined.Usable usable) {
      usable(input, offset, usable, out);
    } else if (examined instanceof Examined.Refused refused) {
      tally.count(input, offset, RefineTally.DEAD_LETTER);
      out.refused(refused.reason());
    } else if (examined instanceof Examined.End) {
      tally.end(input, offset);
      if (tally.allEnded()) {
        out.ended(tally.documents(spec.getDomains()));
      }
    } else {
      tally.count(input, offset, RefineTally.PURGED);
    }
  }

  private void usable(int input, long offset, Examined.Usable usable, Decisions out) {
    Document document = usable.document();
    Examination found = usable.found();
    if (targets.isPresent() && targets.get().has(input)) {
      target(targets.get(), input, offset, usable, out);
      return;
    }
    Optional<DroppedDocument> dropped = dropped(input, offset, document, found);
    if (dropped.isPresent()) {
      tally.count(input, offset, dropped.get().getWhy());
      out.dropped(dropped.get());
      return;
    }
    int copies = placing.copies(found);
    if (copies == 0) {
      tally.count(input, offset, RefineTally.NOT_DRAWN);
      return;
    }
    Map<String, String> properties = properties(usable);
    long bytes = Utf8.length(document.getText());
    Optional<BordersMoved> moved = buckets.add(properties, bytes * copies, records());
    tally.count(input, offset, RefineTally.KEPT);
    placing.place(
        input,
        document,
        properties,
        found.copies(),
        (domain, placed) -> {
          tally.add(domain, bytes);
          out.kept(domain, placed);
        });
    moved.ifPresent(out::moved);
  }

  /** What benchmarks have stays in a target set, which may be one of them. */
  private void target(
      TargetSets sets, int input, long offset, Examined.Usable usable, Decisions out) {
    Document document = usable.document();
    TargetSets.Verdict verdict = sets.add(input, offset, usable.found().signature().orElseThrow());
    if (verdict instanceof TargetSets.Verdict.Goes goes) {
      tally.count(input, offset, RefineTally.KEPT);
      tally.add(goes.domain(), Utf8.length(document.getText()));
      out.kept(
          goes.domain(), Document.newBuilder(document).setProperties(properties(usable)).build());
    } else if (verdict instanceof TargetSets.Verdict.Trained trained) {
      tally.count(input, offset, TargetSets.TRAINED);
      out.dropped(dropped(input, offset, document, TargetSets.TRAINED, trained.twin()));
    }
  }

  private static Map<String, String> properties(Examined.Usable usable) {
    Map<String, String> properties = new HashMap<>(usable.document().getProperties());
    properties.putAll(usable.found().properties());
    return properties;
  }

  private Optional<DroppedDocument> dropped(
      int input, long offset, Document document, Examination found) {
    if (found.drop().isPresent()) {
      Examination.Drop drop = found.drop().get();
      return Optional.of(dropped(input, offset, document, drop.why(), drop.detail(), 1));
    }
    if (twins.isEmpty()) {
      return Optional.empty();
    }
    Signature signature = found.signature().orElseThrow();
    Optional<Twin> target = targets.flatMap(sets -> sets.twin(signature));
    if (target.isPresent()) {
      return Optional.of(dropped(input, offset, document, TargetSets.OF_TARGET, target.get()));
    }
    return twins
        .get()
        .add(new DocumentPlace(input, offset), signature)
        .map(
            twin ->
                dropped(
                    input,
                    offset,
                    document,
                    twin.exact() ? "exact duplicate" : "near duplicate",
                    twin.twin().map(known -> place(known.place())).orElse(""),
                    twin.twin().map(known -> known.similarity()).orElse(1.0)));
  }

  private DroppedDocument dropped(
      int input, long offset, Document document, String why, Twin twin) {
    return dropped(input, offset, document, why, place(twin.place()), twin.similarity());
  }

  private String place(DocumentPlace place) {
    return spec.getInputs().get(place.domain()) + ":" + place.offset();
  }

  private DroppedDocument dropped(
      int input, long offset, Document document, String why, String twin, double similarity) {
    return new DroppedDocument(
        spec.getInputs().get(input), offset, document.getId(), why, twin, similarity);
  }
}
