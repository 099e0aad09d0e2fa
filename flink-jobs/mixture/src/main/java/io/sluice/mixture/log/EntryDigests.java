package io.sluice.mixture.log;

import org.jspecify.annotations.Nullable;

/**
 * What an entry is by content: offsets say where to look in a log, never what is there once a
 * broker has lost its tail.
 *
 * @param base digest of the entry that it is based on; null in a log whose entries name none
 * @param own digest of its bytes; means nothing while it is only proposed
 */
public record EntryDigests(@Nullable Long base, long own) {
  /** What the first entry of a log with digests is based on: the digest of no bytes. */
  public static final long NOTHING = 0xE3B0C44298FC1C14L;

  /** Of an entry of a log without digests. */
  public static final EntryDigests NONE = new EntryDigests(null, 0);

  /** Of an entry that is proposed. */
  public static EntryDigests basedOn(@Nullable Long base) {
    return new EntryDigests(base, 0);
  }

  /** The digest of the entry, for those based on it; null in a log without. */
  @Nullable Long next() {
    return base == null ? null : own;
  }
}
