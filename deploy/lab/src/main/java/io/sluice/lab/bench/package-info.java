/** Benchmarks of the parts of Sluice, each next to a baseline that is measured in the same run. */
@NullMarked
package io.sluice.lab.bench;

import org.jspecify.annotations.NullMarked;
