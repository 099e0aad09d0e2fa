/** Whether brokers can be reached at all, which is asked before anything else is. */
@NullMarked
package io.sluice.control.reach;

import org.jspecify.annotations.NullMarked;
