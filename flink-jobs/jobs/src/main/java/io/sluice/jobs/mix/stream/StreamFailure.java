package io.sluice.jobs.mix.stream;

/**
 * Nothing more of a run's stream can be emitted, now or after a restart.
 *
 * @param reason for people, with names and numbers
 */
public record StreamFailure(StreamTarget target, String reason) implements StreamEvent {}
