/** Which blocks are fetched from where, and the memory that they take. */
@NullMarked
package io.sluice.jobs.mix.fetch;

import org.jspecify.annotations.NullMarked;
