package io.sluice.lab.bench.fan;

import io.sluice.lab.bench.fan.FanOut.StoreReads;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The rows of the table. */
final class FanRow {
  static final List<String> HEAD =
      List.of(
          "GPUs",
          "delivery",
          "stream read ×",
          "brokers in MB/s",
          "brokers out MB/s",
          "connections",
          "at first",
          "requests/s",
          "to begin MB",
          "store MB/s",
          "requests/s of it",
          "with caches MB/s",
          "into a node MB/s");

  private FanRow() {}

  static List<String> of(FanOut fan) {
    List<String> row =
        new ArrayList<>(
            List.of(
                Integer.toString(fan.gpus()),
                fan.delivery(),
                number(fan.timesRead()),
                number(fan.brokersInMBps()),
                number(fan.brokersOutMBps()),
                String.format(Locale.ROOT, "%,d", fan.connections()),
                String.format(Locale.ROOT, "%,d", fan.firstConnections()),
                number(fan.requestsPerSecond()),
                number(fan.startMB())));
    StoreReads store = fan.store();
    row.addAll(
        store == null
            ? List.of("–", "–", "–", "–")
            : List.of(
                number(store.directMBps()),
                number(store.directRequestsPerSecond()),
                number(store.cachedMBps()),
                number(store.nodeMBps())));
    return row;
  }

  /** Two digits of what is small, and no more than there are of what is large. */
  static String number(double value) {
    int decimals = value == 0 || value >= 10 ? 0 : value >= 1 ? 1 : value >= 0.1 ? 2 : 3;
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }
}
