package io.sluice.djl;

/** What a source answers: a batch, or that there will be none. */
public sealed interface NextBatch permits TrainingBatch, StreamEnd {}
