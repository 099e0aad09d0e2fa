package io.sluice.jobs.prepare.pack;

import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import java.io.Serializable;
import java.util.Map;

/** Where earlier executions committed what they had packed. */
interface SupplyLog extends Serializable {
  /**
   * The last supply of each domain; empty when nothing was packed yet.
   *
   * @throws IllegalStateException if another fingerprint was packed under the dataset's name
   */
  Map<String, CommittedSupply> read(KafkaAccess kafka, DatasetSpec spec);

  /** Where the shuffle buffer of each domain was released by time; empty where none was. */
  Map<String, Releases> releases(KafkaAccess kafka, DatasetSpec spec);
}
