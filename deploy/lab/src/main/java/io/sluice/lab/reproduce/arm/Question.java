package io.sluice.lab.reproduce.arm;

/**
 * A question whose answer is among those of others.
 *
 * @param asked everything before the answer
 */
public record Question(String asked, String answer) {}
