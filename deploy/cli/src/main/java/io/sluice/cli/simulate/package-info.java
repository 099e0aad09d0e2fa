/** {@code sluice simulate}: policies compared before a GPU is spent. */
@NullMarked
package io.sluice.cli.simulate;

import org.jspecify.annotations.NullMarked;
