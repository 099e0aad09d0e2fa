/**
 * {@code sluice bench fan-out}: what a run's readers ask of brokers and stores, by their number.
 */
@NullMarked
package io.sluice.lab.bench.fan;

import org.jspecify.annotations.NullMarked;
