/** Files to documents of a domain, and what cannot be used to dead letters. */
@NullMarked
package io.sluice.corpus.document;

import org.jspecify.annotations.NullMarked;
