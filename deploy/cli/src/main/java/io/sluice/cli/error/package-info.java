/** Why a command ended without success, and the exit code that says so. */
@NullMarked
package io.sluice.cli.error;

import org.jspecify.annotations.NullMarked;
