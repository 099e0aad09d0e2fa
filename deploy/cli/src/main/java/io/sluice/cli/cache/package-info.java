/** {@code sluice cache}: a node's cache of objects. */
@NullMarked
package io.sluice.cli.cache;

import org.jspecify.annotations.NullMarked;
