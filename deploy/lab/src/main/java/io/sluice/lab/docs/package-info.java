/** Pages of the documentation, as programs read them. */
@NullMarked
package io.sluice.lab.docs;

import org.jspecify.annotations.NullMarked;
