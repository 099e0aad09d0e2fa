/** Documents by their hashes: what is to be forgotten, or masked in a run. */
@NullMarked
package io.sluice.schema.set;

import org.jspecify.annotations.NullMarked;
