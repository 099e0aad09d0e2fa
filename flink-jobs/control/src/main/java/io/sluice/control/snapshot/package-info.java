/** Snapshots in a run's own control log: what they hold, and when one is due. */
@NullMarked
package io.sluice.control.snapshot;

import org.jspecify.annotations.NullMarked;
