/** Topics of documents as a language model names them. */
@NullMarked
package io.sluice.refine.label;

import org.jspecify.annotations.NullMarked;
