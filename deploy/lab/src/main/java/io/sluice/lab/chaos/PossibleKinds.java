package io.sluice.lab.chaos;

import io.sluice.lab.chaos.fault.FaultKind;
import io.sluice.lab.chaos.fault.FullDisk;
import io.sluice.lab.chaos.fault.WallClocks;
import io.sluice.lab.chaos.network.Network;
import java.util.Set;
import java.util.function.Consumer;

/** The kinds that come if none is asked for, less those for which this machine lacks something. */
final class PossibleKinds {
  private PossibleKinds() {}

  /**
   * Those for so many brokers.
   *
   * @param missing told what is left out, and why
   */
  static Set<FaultKind> of(int brokers, Consumer<String> missing) {
    Set<FaultKind> usual = FaultKind.usual(brokers);
    if (!Network.isKnown() && usual.remove(FaultKind.ONE_WAY_PARTITION)) {
      missing.accept("one-way-partition is left out: it needs Linux's /proc/net/tcp");
    }
    if (!FullDisk.isPossible()) {
      usual.remove(FaultKind.FULL_DISK_BROKER);
      usual.remove(FaultKind.FULL_DISK_TASK_MANAGER);
      missing.accept("full disks are left out: they need 'prlimit'");
    }
    if (!WallClocks.arePossible() && usual.remove(FaultKind.CLOCK_JUMP)) {
      missing.accept("clock-jump is left out: it needs 'cc', and Linux");
    }
    return usual;
  }
}
