/** Rows of blocks in the files of their segments, each checked before it is handed on. */
@NullMarked
package io.sluice.client.segment;

import org.jspecify.annotations.NullMarked;
