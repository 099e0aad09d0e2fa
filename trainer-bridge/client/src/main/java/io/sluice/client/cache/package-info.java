/** What a trainer asks of the cache on its node. */
@NullMarked
package io.sluice.client.cache;

import org.jspecify.annotations.NullMarked;
