/** What endpoints have answered refineries. */
@NullMarked
package io.sluice.jobs.refine.answer;

import org.jspecify.annotations.NullMarked;
