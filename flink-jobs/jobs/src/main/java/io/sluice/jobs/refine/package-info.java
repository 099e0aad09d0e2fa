/** RefineJob: documents of some domains to documents of others. */
@NullMarked
package io.sluice.jobs.refine;

import org.jspecify.annotations.NullMarked;
