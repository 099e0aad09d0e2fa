/** An endpoint without a model, which makes questions of what documentation says. */
@NullMarked
package io.sluice.refine.synthesis.rule;

import org.jspecify.annotations.NullMarked;
