package io.sluice.jobs.mix.split;

/**
 * Where a lane of a run's stream ends: every reader of it has been given all that lies before.
 *
 * @param index global index of the first sequence of the lane that some reader may lack
 * @param chains of each stream partition before that sequence; what those of other lanes have here
 *     is not looked at
 */
@SuppressWarnings("ArrayRecordComponent") // Handed on once, never compared.
public record LaneEnd(int lane, long index, long[] chains) {}
