/** {@code sluice bench refine}. */
@NullMarked
package io.sluice.lab.bench.refine;

import org.jspecify.annotations.NullMarked;
