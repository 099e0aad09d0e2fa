/** Translation between records on the wire and the values that decisions are made from. */
@NullMarked
package io.sluice.control.wire;

import org.jspecify.annotations.NullMarked;
