/** Packing: a domain's documents are shuffled and become blocks, exactly once. */
@NullMarked
package io.sluice.jobs.prepare.pack;

import org.jspecify.annotations.NullMarked;
