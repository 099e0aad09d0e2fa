package io.sluice.control.audit;

/**
 * One sequence that a run's log says was emitted.
 *
 * @param timeline that granted it
 * @param batch it is in, from 1
 * @param index of it in the run's stream
 * @param block whose tokens it has
 * @param abandoned whether the batch is another timeline's since a rewind, so that a trainer may or
 *     may not have had this one
 */
public record Emission(int timeline, long batch, long index, BlockPlace block, boolean abandoned) {}
