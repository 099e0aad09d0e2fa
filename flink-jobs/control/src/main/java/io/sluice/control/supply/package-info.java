/** What is known of datasets' blocks: how many there are, and how many of them are sealed. */
@NullMarked
package io.sluice.control.supply;

import org.jspecify.annotations.NullMarked;
