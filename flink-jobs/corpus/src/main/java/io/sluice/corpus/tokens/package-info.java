/** Documents that are token ids already: files of other data loaders and of training frameworks. */
@NullMarked
package io.sluice.corpus.tokens;

import org.jspecify.annotations.NullMarked;
