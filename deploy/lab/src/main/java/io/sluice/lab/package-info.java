/** Proofs and measurements: the demo, benchmarks, and chaos. */
@NullMarked
package io.sluice.lab;

import org.jspecify.annotations.NullMarked;
