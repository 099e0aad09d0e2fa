/** Jobs on a Flink of the user's, moved to another release or parallelism. */
@NullMarked
package io.sluice.cli.upgrade;

import org.jspecify.annotations.NullMarked;
