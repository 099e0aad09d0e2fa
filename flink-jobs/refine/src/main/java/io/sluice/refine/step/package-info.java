/** What a refinery tells of each document by its text alone, step by step. */
@NullMarked
package io.sluice.refine.step;

import org.jspecify.annotations.NullMarked;
