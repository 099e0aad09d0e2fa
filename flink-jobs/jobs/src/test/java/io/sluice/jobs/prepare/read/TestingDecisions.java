package io.sluice.jobs.prepare.read;

import io.sluice.jobs.prepare.log.CommittedSupply;
import io.sluice.jobs.prepare.log.Decisions;
import io.sluice.jobs.prepare.log.ForgottenDocuments;
import io.sluice.jobs.prepare.log.SupplyLog;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import java.util.List;
import java.util.Map;

/**
 * A log in which some ranges of the domain 'java' were refused.
 *
 * @param refused their offsets
 */
record TestingDecisions(List<Long> refused) implements SupplyLog {
  @Override
  public Map<String, CommittedSupply> read(KafkaAccess kafka, DatasetSpec spec) {
    return Map.of();
  }

  @Override
  public Map<String, Decisions> decisions(KafkaAccess kafka, DatasetSpec spec) {
    Decisions decisions = Decisions.none();
    refused.forEach(offset -> decisions.refusedRanges().add(offset + 1));
    return Map.of("java", decisions);
  }

  @Override
  public ForgottenDocuments forgotten(KafkaAccess kafka, DatasetSpec spec) {
    throw new UnsupportedOperationException("who reads does not forget");
  }
}
