package io.sluice.service.cluster;

import io.sluice.control.error.BadInputException;
import org.apache.flink.configuration.MemorySize;
import org.jspecify.annotations.Nullable;

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

  /** A size as a user gave it, such as 512m or 2g, if any, and what it is called there. */
  public record Given(String option, @Nullable String size) {
    private MemorySize or(MemorySize otherwise) {
      try {
        return size == null ? otherwise : MemorySize.parse(size);
      } catch (IllegalArgumentException e) {
        throw new BadInputException(
            option + " must be a size such as 512m or 2g: '" + size + "'", e);
      }
    }
  }

  /** The same but for the sizes that are given. */
  public ProcessMemory with(Given ofBroker, Given ofJobManager, Given ofTaskManager) {
    return new ProcessMemory(
        ofBroker.or(broker), ofJobManager.or(jobManager), ofTaskManager.or(taskManager));
  }

  private static void requireAtLeast(String what, int mebibytes, MemorySize actual) {
    if (actual.compareTo(MemorySize.ofMebiBytes(mebibytes)) < 0) {
      throw new IllegalArgumentException(
          what + " must be at least " + mebibytes + "m: " + actual.toHumanReadableString());
    }
  }
}
