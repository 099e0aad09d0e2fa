package io.sluice.djl.data;

/**
 * No batch will come any more.
 *
 * @param why in words: the run is complete, was stopped, …
 */
public record EndOfStream(String why) implements NextBatch {}
