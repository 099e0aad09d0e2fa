package io.sluice.jobs.prepare.log;

import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import java.io.Serializable;
import java.util.Map;

/** Where earlier executions committed what they had packed. */
public interface SupplyLog extends Serializable {
  /**
   * The last supply of each domain; empty when nothing was packed yet.
   *
   * @throws IllegalStateException if another fingerprint was packed under the dataset's name
   */
  Map<String, CommittedSupply> read(KafkaAccess kafka, DatasetSpec spec);

  /** What was decided in each domain; empty where nothing was. */
  Map<String, Decisions> decisions(KafkaAccess kafka, DatasetSpec spec);

  /** What everybody is to forget of the dataset's domains. */
  ForgottenDocuments forgotten(KafkaAccess kafka, DatasetSpec spec);
}
