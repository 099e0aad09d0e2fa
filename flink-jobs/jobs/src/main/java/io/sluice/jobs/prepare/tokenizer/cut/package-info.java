/** Where a long text may be cut so that its parts have the tokens of the whole. */
@NullMarked
package io.sluice.jobs.prepare.tokenizer.cut;

import org.jspecify.annotations.NullMarked;
