/** Why something ended without success, and the exit code that says so. */
@NullMarked
package io.sluice.control.error;

import org.jspecify.annotations.NullMarked;
