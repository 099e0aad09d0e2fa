package io.sluice.jobs.mix.stream;

/** Nothing more of a run's stream comes from this source: it has ended. */
public record StreamEnded(StreamTarget target) implements StreamEvent {}
