/** What stands between the processes, and can keep what one sends from another. */
@NullMarked
package io.sluice.lab.chaos.network;

import org.jspecify.annotations.NullMarked;
