/** {@code sluice serve}. */
@NullMarked
package io.sluice.cli.serve;

import org.jspecify.annotations.NullMarked;
