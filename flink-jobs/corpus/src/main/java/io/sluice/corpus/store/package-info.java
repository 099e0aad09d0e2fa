/** Files in object stores, and which store a path is of. */
@NullMarked
package io.sluice.corpus.store;

import org.jspecify.annotations.NullMarked;
