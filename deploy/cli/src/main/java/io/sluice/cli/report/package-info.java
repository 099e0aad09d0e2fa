/** Reports of a command for machines. */
@NullMarked
package io.sluice.cli.report;

import org.jspecify.annotations.NullMarked;
