/** Documents to blocks next to the bare tokenizer. */
@NullMarked
package io.sluice.lab.bench.prepare;

import org.jspecify.annotations.NullMarked;
