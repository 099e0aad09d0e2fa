/** A small GPT, its loss and its optimizer. */
@NullMarked
package io.sluice.djl.model;

import org.jspecify.annotations.NullMarked;
