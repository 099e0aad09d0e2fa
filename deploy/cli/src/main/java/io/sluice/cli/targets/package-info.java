/** {@code sluice fit-targets}: target losses from the losses that a run has measured. */
@NullMarked
package io.sluice.cli.targets;

import org.jspecify.annotations.NullMarked;
