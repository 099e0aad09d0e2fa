/** How what the job makes is written: to thousands of topics in one transaction. */
@NullMarked
package io.sluice.jobs.prepare.write;

import org.jspecify.annotations.NullMarked;
