package io.sluice.control.runs;

import io.sluice.control.error.BadInputException;
import io.sluice.control.wire.ControlWire;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.BatchSize;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.RunSpec;
import io.sluice.schema.run.Delivery;
import io.sluice.schema.segment.InPlace;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Specifications of runs that no file asks for. */
public final class NewRun {
  private NewRun() {}

  /**
   * A run with uniform, fixed weights and one pass over each domain, to be changed before {@link
   * io.sluice.control.wire.RunSpecs#complete} checks it.
   *
   * @param batch sequences in each batch
   */
  public static RunSpec.Builder of(String run, DatasetSpec data, int batch) {
    int domains = data.getDomains().size();
    return over(RunSpec.newBuilder(), data)
        .setRun(run)
        .setBatchSizes(List.of(new BatchSize(1L, batch)))
        .setSeed(0)
        .setInitialWeights(ControlWire.boxed(Weights.uniform(domains)))
        .setPolicy("static")
        .setUpdateEvery(0)
        .setEpochs(Collections.nCopies(domains, 1));
  }

  /**
   * Refuses a run whose trainers read segments, of a dataset that has none, and one whose trainers
   * read a stream, of a domain that has nothing else.
   *
   * @throws BadInputException naming the key, and what the dataset lacks
   */
  public static void requireDeliverable(RunSpec run, DatasetSpec data) {
    Optional<String> inPlace =
        run.getDomains().stream().filter(InPlace.domains(data)::contains).findFirst();
    if (!Delivery.isDerived(run) && inPlace.isPresent()) {
      throw new BadInputException(
          "delivery must be derived for domain '"
              + inPlace.get()
              + "' of dataset '"
              + data.getName()
              + "', which is in-place and in no stream: found "
              + run.getDelivery());
    }
    if (Delivery.isDerived(run)) {
      requireStore(data);
    }
  }

  private static void requireStore(DatasetSpec data) {
    if (data.getStore().isEmpty()) {
      throw new BadInputException(
          "delivery: derived needs a dataset with a store, where its blocks are put as files: dataset"
              + " '"
              + data.getName()
              + "' has none; put 'store: file:///PATH' or 'store: s3://BUCKET' into its file, and"
              + " apply that");
    }
  }

  /** A run of the dataset. */
  static RunSpec.Builder over(RunSpec.Builder run, DatasetSpec data) {
    return run.setDataset(data.getName())
        .setFingerprint(data.getFingerprint())
        .setDocumentIds(data.getDocumentIds())
        .setTokenizer(data.getTokenizer())
        .setVocabulary(data.getVocabulary())
        .setSequenceLength(data.getSequenceLength())
        .setDomains(data.getDomains())
        .setLanes(data.getLanes());
  }
}
