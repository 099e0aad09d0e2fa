/** What happened around a service, written down as it happens, and who checks it. */
@NullMarked
package io.sluice.lab.chaos.history;

import org.jspecify.annotations.NullMarked;
