/** What a run did from batch to batch, in bounded memory. */
@NullMarked
package io.sluice.serve.course;

import org.jspecify.annotations.NullMarked;
