package io.sluice.control.audit;

import io.sluice.control.history.RunHistory;
import io.sluice.control.masks.DocumentSets;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.Revised;
import io.sluice.mixture.log.ControlEntry.Started;
import io.sluice.schema.DocumentMask;
import io.sluice.schema.KafkaAccess;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Checks the masks of a run: each set is in its topic, with the content that its name says and as
 * many documents as the log does, and no mask begins in a batch that was granted before it.
 */
final class MaskAudit {
  private MaskAudit() {}

  static void check(KafkaAccess access, RunHistory history, Violations violations) {
    Map<String, DocumentMask> named = new TreeMap<>();
    Map<String, Long> before = new HashMap<>();
    for (ControlEntry entry : history.entries()) {
      boolean revised = entry.body() instanceof Revised;
      if (!revised && !(entry.body() instanceof Started)) {
        continue;
      }
      long granted = entry.body() instanceof Revised body ? body.snapshot().batch() : 0;
      Map<String, Long> now = new HashMap<>();
      for (DocumentMask mask : history.specAt(entry.serial()).getMasks()) {
        named.put(mask.getSet(), mask);
        now.put(mask.getSet(), mask.getFromBatch());
        if (revised
            && mask.getFromBatch() <= granted
            && !Long.valueOf(mask.getFromBatch()).equals(before.get(mask.getSet()))) {
          violations.add(
              "log",
              "entry %d masks set %s from batch %d on: batches up to %d were granted",
              entry.serial(),
              mask.getSet(),
              mask.getFromBatch(),
              granted);
        }
      }
      before = now;
    }
    if (!named.isEmpty()) {
      sets(access, named, violations);
    }
  }

  private static void sets(
      KafkaAccess access, Map<String, DocumentMask> named, Violations violations) {
    Map<String, Integer> found = new HashMap<>();
    new DocumentSets(access)
        .forEach(
            (set, record) -> {
              if (named.containsKey(set.name())) {
                found.put(set.name(), set.size());
              }
            });
    named.forEach(
        (name, mask) -> {
          Integer documents = found.get(name);
          if (documents == null) {
            violations.add(
                "masks",
                "set %s, which is masked from batch %d on, is not in topic %s",
                name,
                mask.getFromBatch(),
                access.topics().sets());
          } else if (documents != mask.getDocuments()) {
            violations.add(
                "masks",
                "set %s has %d documents, the log says %d",
                name,
                documents,
                mask.getDocuments());
          }
        });
  }
}
