package io.sluice.control.digest;

/** The hashes of the rows that blocks of a dataset are, as far as they are known. */
public interface RowHashes {
  /** Whether a run can be granted the block, wherever that is. */
  boolean isNamed(String domain, int lane, long block);

  /** Whether the hash of a block is known. */
  boolean has(String domain, int lane, long block);

  /** The {@link io.sluice.schema.segment.RowHash} of a block, if that is known. */
  long hash(String domain, int lane, long block);

  /** Whether documents of a block whose hash is known were deleted, so that it was another. */
  boolean isPurged(String domain, int lane, long block);
}
