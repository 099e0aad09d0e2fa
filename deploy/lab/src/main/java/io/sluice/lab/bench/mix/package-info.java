/** The mixed stream next to plain copies of the same topics. */
@NullMarked
package io.sluice.lab.bench.mix;

import org.jspecify.annotations.NullMarked;
