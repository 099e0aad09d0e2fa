/** What benchmarks share: a stage with broker and jobs, made-up blocks, clocks and meters. */
@NullMarked
package io.sluice.lab.bench.measure;

import org.jspecify.annotations.NullMarked;
