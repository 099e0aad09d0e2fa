/** Files that are still written, and those that come. */
@NullMarked
package io.sluice.corpus.follow;

import org.jspecify.annotations.NullMarked;
