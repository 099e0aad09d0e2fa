/** Seeded faults on a cluster of processes, and the proof that no sequence suffered. */
@NullMarked
package io.sluice.lab.chaos;

import org.jspecify.annotations.NullMarked;
