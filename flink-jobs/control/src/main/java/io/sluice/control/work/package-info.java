/** Work that is done on several threads at once. */
@NullMarked
package io.sluice.control.work;

import org.jspecify.annotations.NullMarked;
