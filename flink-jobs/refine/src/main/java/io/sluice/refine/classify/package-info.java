/**
 * Topics of documents: a linear classifier of n-grams that is trained from labelled texts, and how
 * texts are labelled (Llama-3-SynE, section 4.1.1).
 */
@NullMarked
package io.sluice.refine.classify;

import org.jspecify.annotations.NullMarked;
