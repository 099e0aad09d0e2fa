/** A run's stream, decoded for people. */
@NullMarked
package io.sluice.cli.cat;

import org.jspecify.annotations.NullMarked;
