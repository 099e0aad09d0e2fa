/** Trainers' side of a run: global batches from its stream, and feedback back to it. */
@NullMarked
package io.sluice.client;

import org.jspecify.annotations.NullMarked;
