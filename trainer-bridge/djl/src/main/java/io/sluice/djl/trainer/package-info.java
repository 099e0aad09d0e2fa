/** The reference trainer: its loop, its checkpoints and what it reports. */
@NullMarked
package io.sluice.djl.trainer;

import org.jspecify.annotations.NullMarked;
