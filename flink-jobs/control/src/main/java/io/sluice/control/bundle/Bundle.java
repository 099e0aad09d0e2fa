package io.sluice.control.bundle;

import io.sluice.schema.BundledBatch;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.DocumentSet;
import io.sluice.schema.RunBundle;
import io.sluice.schema.RunCommand;
import io.sluice.schema.Supply;
import io.sluice.schema.TrainerFeedback;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.specific.SpecificRecordBase;

/**
 * All that makes a run repeatable elsewhere. It follows from the run alone: whoever exports it, and
 * when, the file has the same bytes.
 *
 * @param head what it is of
 * @param dataset that the run mixes, with its fingerprints; without where it lies
 * @param supply blocks of each lane of each domain: all, of one that has ended, else as many as the
 *     run has used
 * @param sets of documents that the run masks
 * @param entries that decide which batches there are, as {@link BundledLog} has them
 * @param commands that the revisions among them answer
 * @param reports of trainers that were accepted, in the order in which they were sent
 * @param batches digests of those that stand, as far as their blocks are still there
 */
public record Bundle(
    RunBundle head,
    DatasetSpec dataset,
    List<Supply> supply,
    List<DocumentSet> sets,
    List<ControlRecord> entries,
    List<RunCommand> commands,
    List<TrainerFeedback> reports,
    List<BundledBatch> batches) {
  /** Copies the lists. */
  public Bundle {
    supply = List.copyOf(supply);
    sets = List.copyOf(sets);
    entries = List.copyOf(entries);
    commands = List.copyOf(commands);
    reports = List.copyOf(reports);
    batches = List.copyOf(batches);
  }

  /** Its records, in the order of the file. */
  List<SpecificRecordBase> records() {
    List<SpecificRecordBase> records = new ArrayList<>(List.of(head, dataset));
    records.addAll(supply);
    records.addAll(sets);
    records.addAll(entries);
    records.addAll(commands);
    records.addAll(reports);
    records.addAll(batches);
    return records;
  }
}
