/** How what jobs make is written: to thousands of topics in one transaction. */
@NullMarked
package io.sluice.jobs.write;

import org.jspecify.annotations.NullMarked;
