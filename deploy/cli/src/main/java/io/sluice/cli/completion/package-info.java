/** The {@code completion} command: what a shell needs to complete commands and options. */
@NullMarked
package io.sluice.cli.completion;

import org.jspecify.annotations.NullMarked;
