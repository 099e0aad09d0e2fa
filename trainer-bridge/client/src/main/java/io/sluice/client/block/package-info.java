/** Training sequences in the bytes that they came in. */
@NullMarked
package io.sluice.client.block;

import org.jspecify.annotations.NullMarked;
