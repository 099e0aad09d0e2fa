/** The command that runs the service on this machine. */
@NullMarked
package io.sluice.cli.up;

import org.jspecify.annotations.NullMarked;
