/** Objects of stores on a node: fetched once for all trainers there, bounded in bytes. */
@NullMarked
package io.sluice.service.cache;

import org.jspecify.annotations.NullMarked;
