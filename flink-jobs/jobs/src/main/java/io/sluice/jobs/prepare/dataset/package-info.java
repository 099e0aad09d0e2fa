/**
 * Datasets: what a user sets, what follows from it, and the fingerprint of what changes a block.
 */
@NullMarked
package io.sluice.jobs.prepare.dataset;

import org.jspecify.annotations.NullMarked;
