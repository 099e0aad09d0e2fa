/** Trainers by script, in processes of their own, and what they took. */
@NullMarked
package io.sluice.lab.chaos.trainer;

import org.jspecify.annotations.NullMarked;
