package io.sluice.service.cluster;

import org.apache.flink.configuration.MemorySize;

/**
 * Memory of each process of a cluster.
 *
 * @param broker the broker's heap, at least 128 MiB; the page cache comes on top
 * @param jobManager all of the job manager's process, at least 640 MiB
 * @param taskManager all of a task manager's process, at least 1 GiB
 */
public record ProcessMemory(MemorySize broker, MemorySize jobManager, MemorySize taskManager) {
  /** Checks the ranges. */
  public ProcessMemory {
    requireAtLeast("broker memory", 128, broker);
    requireAtLeast("job manager memory", 640, jobManager);
    requireAtLeast("task manager memory", 1024, taskManager);
  }

  /** 512 MiB, 1 GiB, 1.5 GiB. */
  public static ProcessMemory defaults() {
    return new ProcessMemory(
        MemorySize.ofMebiBytes(512), MemorySize.ofMebiBytes(1024), MemorySize.ofMebiBytes(1536));
  }

  private static void requireAtLeast(String what, int mebibytes, MemorySize actual) {
    if (actual.compareTo(MemorySize.ofMebiBytes(mebibytes)) < 0) {
      throw new IllegalArgumentException(
          what + " must be at least " + mebibytes + "m: " + actual.toHumanReadableString());
    }
  }
}
