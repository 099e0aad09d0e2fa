/** What runs mixed from batch to batch: drawn, compared, and repeated by others. */
@NullMarked
package io.sluice.cli.run.course;

import org.jspecify.annotations.NullMarked;
