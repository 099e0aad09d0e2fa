/** The {@code sluice} command: its root, its commands in one list, and what failures become. */
@NullMarked
package io.sluice.cli;

import org.jspecify.annotations.NullMarked;
