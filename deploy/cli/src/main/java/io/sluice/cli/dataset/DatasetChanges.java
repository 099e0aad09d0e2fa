package io.sluice.cli.dataset;

import io.sluice.schema.DatasetSpec;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;

/** What differs between two specifications of one dataset. */
final class DatasetChanges {
  private DatasetChanges() {}

  /** One line for each field that differs, old value first; the fingerprint comes last. */
  static List<String> between(DatasetSpec before, DatasetSpec after) {
    List<String> changes = new ArrayList<>();
    for (Schema.Field field : DatasetSpec.getClassSchema().getFields()) {
      Object old = before.get(field.pos());
      Object now = after.get(field.pos());
      if (!field.name().equals("fingerprint") && !old.equals(now)) {
        changes.add(field.name() + ": " + old + " -> " + now);
      }
    }
    if (before.getFingerprint() != after.getFingerprint()) {
      changes.add(
          String.format(
              "fingerprint: %016x -> %016x", before.getFingerprint(), after.getFingerprint()));
    }
    return List.copyOf(changes);
  }
}
