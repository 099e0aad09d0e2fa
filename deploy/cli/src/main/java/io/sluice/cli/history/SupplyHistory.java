package io.sluice.cli.history;

import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Supply;
import io.sluice.schema.WireCodec;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What PrepareJob has committed of each domain of a dataset. */
public final class SupplyHistory {
  private SupplyHistory() {}

  /** The newest supply of each domain, by name; domains without any are absent. */
  public static Map<String, Supply> newest(KafkaAccess access, String dataset) {
    Map<String, Supply> newest = new TreeMap<>();
    new TopicScan(access)
        .read(
            List.of(access.topics().supply(dataset)),
            message -> {
              Supply supply = WireCodec.decode(Supply.class, message.value());
              newest.put(supply.getDomain(), supply);
            });
    return newest;
  }
}
