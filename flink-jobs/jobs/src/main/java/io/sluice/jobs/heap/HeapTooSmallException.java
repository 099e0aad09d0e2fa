package io.sluice.jobs.heap;

/** A task that does not begin, since its process's heap has no room for it. */
public final class HeapTooSmallException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final long MIB = 1 << 20;

  /**
   * Says what helps.
   *
   * @param what needs room
   * @param needed bytes
   * @param there bytes for it
   * @param part which part of the heap that is, such as "0.4 of"
   * @param heap bytes in all
   */
  public HeapTooSmallException(String what, long needed, long there, String part, long heap) {
    super(
        "%s need %d MiB of heap, and have %d MiB: %s a process's %d MiB. Give the task managers more (taskmanager.memory.process.size, or taskmanager.memory.task.heap.size), fewer slots, or the job another --heap-share"
            .formatted(what, (needed + MIB - 1) / MIB, Math.max(0, there) / MIB, part, heap / MIB));
  }
}
