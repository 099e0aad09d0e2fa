/**
 * Models as directories, which whoever reads them can tell apart by a hash of all that they hold.
 */
@NullMarked
package io.sluice.refine.model;

import org.jspecify.annotations.NullMarked;
