/** Records of topics that others write, as documents. */
@NullMarked
package io.sluice.corpus.topic;

import org.jspecify.annotations.NullMarked;
