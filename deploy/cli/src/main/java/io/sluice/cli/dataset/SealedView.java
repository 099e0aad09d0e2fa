package io.sluice.cli.dataset;

import io.sluice.control.domain.SealedDomains;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Supply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How much of a dataset is in its store, as reports show it.
 *
 * @param blocks of each domain that are sealed
 * @param prepared of each domain; those without a document are absent
 */
record SealedView(Map<String, Long> blocks, Map<String, Supply> prepared) {
  /** What is sealed of a dataset; empty if it has no store. */
  static Optional<SealedView> of(
      KafkaAccess access, DatasetSpec spec, Map<String, Supply> prepared) {
    return spec.getStore().isEmpty()
        ? Optional.empty()
        : Optional.of(
            new SealedView(SealedDomains.rows(SealedDomains.read(access, spec), spec), prepared));
  }

  /** For people, as YAML. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("sealed: # blocks that are in the store");
    blocks.forEach(
        (domain, rows) -> {
          Supply supply = prepared.get(domain);
          long there = supply == null ? 0 : supply.getBlocks();
          lines.add("  " + domain + ": " + rows + " # of " + there);
        });
    return lines;
  }
}
