package io.sluice.refine.classify;

/**
 * How well a label is told.
 *
 * @param texts that have it
 * @param precision share of those classified as it that have it; 0 if none is
 * @param recall share of those that have it that are classified as it; 0 if none has it
 * @param f1 harmonic mean of the two
 */
public record LabelScore(String label, int texts, double precision, double recall, double f1) {}
