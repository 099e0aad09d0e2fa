/** The arms of an experiment, each a run of the service with a trainer of its own. */
@NullMarked
package io.sluice.lab.reproduce.arm;

import org.jspecify.annotations.NullMarked;
