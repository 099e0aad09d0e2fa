/** Documents that are deleted from the topics that hold them, and who waits until that is done. */
@NullMarked
package io.sluice.control.purge;

import org.jspecify.annotations.NullMarked;
