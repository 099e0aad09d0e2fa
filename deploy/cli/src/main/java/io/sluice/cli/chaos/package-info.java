/** Seeded faults on a cluster of processes, and the proof that no sequence suffered. */
@NullMarked
package io.sluice.cli.chaos;

import org.jspecify.annotations.NullMarked;
