/** Options that every command understands. */
@NullMarked
package io.sluice.cli.options;

import org.jspecify.annotations.NullMarked;
