/** How a job reads corpora of thousands of topics. */
@NullMarked
package io.sluice.jobs.prepare.source;

import org.jspecify.annotations.NullMarked;
