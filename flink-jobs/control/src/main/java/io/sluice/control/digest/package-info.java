/** What ranks say that they read, held against the rows that their batches have. */
@NullMarked
package io.sluice.control.digest;

import org.jspecify.annotations.NullMarked;
