/** What flows between the operators of PrepareJob, and its bytes. */
@NullMarked
package io.sluice.jobs.prepare.record;

import org.jspecify.annotations.NullMarked;
