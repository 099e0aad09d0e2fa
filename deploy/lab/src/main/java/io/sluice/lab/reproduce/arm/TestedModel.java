package io.sluice.lab.reproduce.arm;

import java.util.Map;

/**
 * What a final model is worth on the test's text, by domain.
 *
 * @param losses mean losses in nats per token
 * @param accuracy share of the questions that it answers rightly: which of four continuations is
 *     the true one; or, by the kind of a trial's own questions, which of four answers
 */
public record TestedModel(Map<String, Double> losses, Map<String, Double> accuracy) {}
