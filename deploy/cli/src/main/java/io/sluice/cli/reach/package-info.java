/** Whether brokers can be reached at all, which is asked before anything else is. */
@NullMarked
package io.sluice.cli.reach;

import org.jspecify.annotations.NullMarked;
