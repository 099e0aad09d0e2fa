/** The plan and the policies by themselves. */
@NullMarked
package io.sluice.lab.bench.decide;

import org.jspecify.annotations.NullMarked;
