/** Target losses: where they come from, and the losses that they are fitted to. */
@NullMarked
package io.sluice.control.targets;

import org.jspecify.annotations.NullMarked;
