package io.sluice.djl;

/**
 * No batch will come any more.
 *
 * @param why in words: the run is complete, was stopped, …
 */
public record StreamEnd(String why) implements NextBatch {}
