/** Sets of documents, as their topic has them, and which of them a run has to mask. */
@NullMarked
package io.sluice.control.masks;

import org.jspecify.annotations.NullMarked;
