/** What goes wrong, and when. */
@NullMarked
package io.sluice.lab.chaos.fault;

import org.jspecify.annotations.NullMarked;
