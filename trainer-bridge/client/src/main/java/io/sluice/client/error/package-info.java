/** What can go wrong for a trainer, each with what to do about it. */
@NullMarked
package io.sluice.client.error;

import org.jspecify.annotations.NullMarked;
