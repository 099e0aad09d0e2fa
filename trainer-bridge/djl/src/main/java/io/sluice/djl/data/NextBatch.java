package io.sluice.djl.data;

/** What a source answers: a batch, or that there will be none. */
public sealed interface NextBatch permits TrainingBatch, EndOfStream {}
