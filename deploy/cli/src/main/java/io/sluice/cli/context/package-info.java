/** The {@code context} command: deployments by names of one's own. */
@NullMarked
package io.sluice.cli.context;

import org.jspecify.annotations.NullMarked;
