/** Documents in Parquet files. */
@NullMarked
package io.sluice.corpus.parquet;

import org.jspecify.annotations.NullMarked;
