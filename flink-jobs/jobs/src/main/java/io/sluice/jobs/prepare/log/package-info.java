/** What earlier executions of a job committed, and what they decided that documents do not tell. */
@NullMarked
package io.sluice.jobs.prepare.log;

import org.jspecify.annotations.NullMarked;
