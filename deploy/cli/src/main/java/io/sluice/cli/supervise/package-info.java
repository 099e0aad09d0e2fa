/** Child processes that are started again when they end. */
@NullMarked
package io.sluice.cli.supervise;

import org.jspecify.annotations.NullMarked;
