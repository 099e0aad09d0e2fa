/** What a few numbers say: intervals, tests, corrections and power, by textbook formulas. */
@NullMarked
package io.sluice.lab.reproduce.claim.statistics;

import org.jspecify.annotations.NullMarked;
