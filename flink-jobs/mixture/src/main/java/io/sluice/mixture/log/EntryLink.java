package io.sluice.mixture.log;

/**
 * Which entry a record claims to follow: all that a reader looks at before it knows that it is the
 * next one, so that it need not understand entries that lost.
 *
 * @param serial 0 for the first
 * @param basedOn log offset of the entry with the serial before; −1 for the first
 * @param digests what that entry is by content, and this one
 */
public record EntryLink(String runId, long serial, long basedOn, EntryDigests digests) {}
